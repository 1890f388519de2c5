import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/plans')({
  component: () => <Page title="Equity plans">{null}</Page>,
});
