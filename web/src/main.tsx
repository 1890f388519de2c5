import './app.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client';
import { partFault } from './api/problem';
import { routeTree } from './routeTree.gen';
import { parseSearch, stringifySearch } from './shell/address';
import { loadFirstPage } from './shell/firstPage';
import { loadAhead } from './shell/loadAhead';
import { PageFailure, PageMissing } from './shell/PageFailure';

// After an upgrade of the server an open tab may request a file that is gone. The router would load the document again, and end open forms,
// if it recognized the message.
window.addEventListener('vite:preloadError', ({ payload }) => {
  payload.name = partFault;
  payload.message = 'A part of the app could not be loaded.';
});

const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: PageMissing,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const root = createRoot(document.getElementById('root') as HTMLElement);

await loadFirstPage(router);

// A transition is rendered in small pieces, so that the page reacts meanwhile.
startTransition(() =>
  root.render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  ),
);

loadAhead(router);
