import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/capital')({
  component: () => <Page title="Capital changes and statements">{null}</Page>,
});
