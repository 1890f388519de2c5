import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/convertibles')({
  component: () => <Page title="Convertibles and warrants">{null}</Page>,
});
