import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { client, type Schema } from './client';

type Day = { asOf?: string; knownAt?: string };

/** The cap table of a company on a day. */
export const capTableQuery = (organization: string, query: Day) =>
  queryOptions({
    queryKey: ['get', '/organization/{organization}/captable', { params: { path: { organization }, query } }],
    queryFn: async ({ signal }) => {
      const params = { path: { organization }, query };
      return (await client.GET('/organization/{organization}/captable', { params, signal })).data as Schema<'CapTable'>;
    },
  });

/** Reads the cap table of a company on a day. The previous day stays visible while another loads. */
export const useCapTable = (organization: string, query: Day, enabled = true) =>
  useQuery({ ...capTableQuery(organization, query), placeholderData: keepPreviousData, enabled });
