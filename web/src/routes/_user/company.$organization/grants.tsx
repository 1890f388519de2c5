import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/grants')({
  component: () => <Page title="Grants">{null}</Page>,
});
