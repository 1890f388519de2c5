import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client, type Schema } from './client';

/** Reads the cap table of a company on a day. The previous day stays visible while another loads. */
export const useCapTable = (organization: string, query: { asOf?: string; knownAt?: string }, enabled = true) =>
  useQuery({
    queryKey: ['get', '/organization/{organization}/captable', { params: { path: { organization }, query } }],
    queryFn: async ({ signal }) => {
      const params = { path: { organization }, query };
      return (await client.GET('/organization/{organization}/captable', { params, signal })).data as Schema<'CapTable'>;
    },
    placeholderData: keepPreviousData,
    enabled,
  });
