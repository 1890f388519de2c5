import { QueryClient } from '@tanstack/react-query';
import createFetchClient, { type Middleware } from 'openapi-fetch';
import createClient from 'openapi-react-query';
import { Problem, readProblem } from './problem';
import type { components, operations, paths } from './schema';

/** Schema is a named schema of the contract. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** OperationId names an operation of the contract. */
export type OperationId = keyof operations;

const refuse: Middleware = {
  async onResponse({ response }) {
    if (!response.ok && response.status !== 304) throw await readProblem(response);
  },
};

/** client sends requests to the API. Failed requests throw a Problem. */
export const client = createFetchClient<paths>({ baseUrl: `${globalThis.location?.origin ?? ''}/v1` });
client.use(refuse);

/** api offers the operations of the contract as React queries. */
export const api = createClient(client);

const repeatable = new Set([0, 502, 503, 504]);

export const queryClient = new QueryClient({
  defaultOptions: {
    // A change is never sent later, when the connection is back: it fails now, and the user decides.
    mutations: { networkMode: 'always' },
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 2 && (!(error instanceof Problem) || repeatable.has(error.status)),
    },
  },
});
