import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/import')({
  component: () => <Page title="Import">{null}</Page>,
});
