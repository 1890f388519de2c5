import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/chat')({
  component: () => <Page title="Team chat">{null}</Page>,
});
