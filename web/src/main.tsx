import './app.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client';
import { routeTree } from './routeTree.gen';
import { parseSearch, stringifySearch } from './shell/address';
import { loadFirstPage } from './shell/firstPage';

// After an upgrade of the server an open tab may request a file that is gone.
window.addEventListener('vite:preloadError', () => location.reload());

const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
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
