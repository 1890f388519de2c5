import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/settings')({ component: () => <Page title="Settings">{null}</Page> });
