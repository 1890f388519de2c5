import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/schedules')({
  component: () => <Page title="Vesting schedules">{null}</Page>,
});
