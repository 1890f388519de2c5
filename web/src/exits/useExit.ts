import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';
import type { Decimal } from '~/decimal/decimal';
import { useSettled } from '~/ui/useSettled';
import { bodyOf, type ExitModel } from './terms';

type Outcome = Schema<'ExitOutcome'>;
type Terms = Schema<'ExitTerms'>;

const path = '/organization/{organization}/scenario/exit';
const pause = 300; // milliseconds between the last change of the terms and the request for the payments of holders

/** Distributes the sale prices of the terms. The previous outcome stays visible meanwhile, and a change cancels the request. */
const exitQuery = (organization: string, body: Terms, enabled: boolean) => ({
  queryKey: ['post', path, organization, body] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await client.POST(path, { params: { path: { organization } }, body, signal })).data as Outcome,
  enabled,
  placeholderData: keepPreviousData<Outcome>,
  structuralSharing: false, // outcomes are large, and no part of one is kept
  retry: false,
});

/** Reads the payments by class at these prices. They are fast, because they list no holders. */
export const useFigures = (organization: string, model: ExitModel, prices: Decimal[]) =>
  useQuery(exitQuery(organization, bodyOf(model, prices, []), prices.length > 0));

/**
 * Reads the payments of holders at these prices; of all holders by default. They take the server and the browser much longer than those by
 * class. So they are read after a pause in the changes of the terms, once `ready`.
 */
export function useHolders(
  organization: string,
  model: ExitModel,
  prices: Decimal[],
  ready: boolean,
  holders?: string[],
) {
  const body = bodyOf(model, prices, holders);
  const terms = JSON.stringify(bodyOf(model, prices));
  const settled = useSettled(terms, pause) === terms;
  const query = useQuery(exitQuery(organization, body, ready && settled && prices.length > 0));
  return { ...query, waits: query.isFetching || ((query.isPending || query.isPlaceholderData) && prices.length > 0) };
}
