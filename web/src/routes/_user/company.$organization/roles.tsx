import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/roles')({
  component: () => <Page title="Roles">{null}</Page>,
});
