import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/settings')({
  component: () => <Page title="Company settings">{null}</Page>,
});
