import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/admin')({ component: () => <Page title="Administration">{null}</Page> });
