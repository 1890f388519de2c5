import { createRootRoute, Outlet } from '@tanstack/react-router';
import type { Address } from '~/shell/address';
import { BareFailure } from '~/shell/PageFailure';
import { FullText } from '~/ui/FullText';
import { ToastPlace } from '~/ui/ToastPlace';

export const Route = createRootRoute({
  // All pages keep their state in the same form; parseSearch has read it.
  validateSearch: (search): Address => search as Address,
  component: () => (
    <>
      <Outlet />
      <ToastPlace />
      <FullText />
    </>
  ),
  errorComponent: BareFailure,
});
