import { createRootRoute, Link, Outlet } from '@tanstack/react-router';
import type { Address } from '~/shell/address';
import { FullText } from '~/ui/FullText';
import { Failure } from '~/ui/Notice';
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
  errorComponent: ({ error, reset }) => <Failure what="The page" error={error} retry={reset} />,
  notFoundComponent: () => (
    <main className="grid h-dvh place-items-center text-center">
      <div>
        <h1 className="text-lg font-semibold">There is no such page</h1>
        <Link to="/" className="text-accent hover:underline">
          Home
        </Link>
      </div>
    </main>
  ),
});
