import { api } from '~/api/client';
import { useDay } from '~/day/day';
import { useCompany } from '~/shell/company';

/** Reads the explanation of a figure on the day of the page; nothing without a figure. */
export function useExplanation(figure: string | undefined) {
  const { id: organization } = useCompany();
  const { query } = useDay();
  return api.useQuery(
    'get',
    '/organization/{organization}/explain',
    { params: { path: { organization }, query: { figure: figure ?? '', ...query } } },
    { enabled: figure !== undefined },
  );
}
