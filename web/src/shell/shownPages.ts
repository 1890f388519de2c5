import { api } from '~/api/client';
import type { Company } from './company';
import { type PageLink, pages } from './pages';

/** Returns the pages of a company that the user may open. Team chat needs a configured chat server. */
export function useShownPages(company: Company | undefined): PageLink[] {
  const chat = api.useQuery(
    'get',
    '/chat/config',
    {},
    { enabled: company !== undefined, staleTime: Number.POSITIVE_INFINITY },
  );
  if (!company) return [];
  return pages.filter((page) => (page.to === 'chat' ? chat.data?.enabled === true : (page.shown?.(company) ?? true)));
}
