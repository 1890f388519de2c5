import { createFileRoute } from '@tanstack/react-router';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/start')({ component: () => <Page title="New company">{null}</Page> });
