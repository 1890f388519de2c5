import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { isDecimal } from '~/decimal/decimal';
import { useCompany } from '~/shell/company';

/** Basis is what the user chooses of the round: its value before the new money, or its price per share. */
export type Basis = 'preMoney' | 'pricePerShare';

/** Models a round without new money at a value or a price, in which all outstanding convertibles convert. */
export function useConversions(basis: Basis, value: string) {
  const { id: organization } = useCompany();
  const { past } = useDay();
  return useQuery({
    queryKey: ['post', '/organization/{organization}/scenario/round', organization, 'conversions', basis, value],
    queryFn: async ({ signal }) => {
      const body = { [basis]: value, security: { name: 'Modelled class' } } as Schema<'RoundTerms'>;
      const params = { path: { organization } };
      const answer = await client.POST('/organization/{organization}/scenario/round', { params, body, signal });
      return answer.data as Schema<'RoundOutcome'>;
    },
    enabled: isDecimal(value) && !past,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
