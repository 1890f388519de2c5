import { createFileRoute } from '@tanstack/react-router';
import { PageMissing } from '~/shell/PageFailure';

/** Addresses without a page. */
export const Route = createFileRoute('/_user/$')({ component: PageMissing });
