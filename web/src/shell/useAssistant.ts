import { type RefObject, useCallback, useRef, useState } from 'react';
import { api } from '~/api/client';
import type { Company } from './company';
import { useUser } from './user';

/** Assistant is the state of the panel. On pages outside companies, the user chooses the company of its conversation. */
export type Assistant = {
  available: boolean;
  open: boolean;
  toggle: () => void;
  /** The message that is being written, which the closed panel keeps. */
  draft: RefObject<string>;
  /** The id of the company; undefined before the choice. */
  organization?: string;
  /** Changes the company; absent on pages of a company. */
  choose?: (organization: string | undefined) => void;
};

/**
 * Opens and closes the assistant. The focus returns to its previous element. The conversation about a company continues on pages
 * outside companies.
 */
export function useAssistant(company: Company | undefined): Assistant {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const { organizations = [] } = useUser();
  const outside = company === undefined && organizations.length > 0;
  const status = api.useQuery('get', '/agent/status', {}, { enabled: outside, staleTime: Number.POSITIVE_INFINITY });
  const available = company ? company.has('agent') : outside && status.data?.enabled === true;
  const draft = useRef('');
  const previous = useRef<Element>(null);
  if (company && chosen !== company.id) setChosen(company.id);
  const toggle = useCallback(() => {
    if (!available) return;
    if (!open) {
      previous.current = document.activeElement;
    } else {
      const target = previous.current;
      const kept = target instanceof HTMLElement && target !== document.body && target.isConnected;
      (kept ? target : document.getElementById('main'))?.focus();
    }
    setOpen(!open);
  }, [open, available]);
  if (company) return { available, open, toggle, draft, organization: company.id };
  const only = organizations.length === 1 ? organizations[0]?.id : undefined;
  const known = organizations.some((one) => one.id === chosen) ? chosen : undefined;
  return { available, open, toggle, draft, organization: known ?? only, choose: only ? undefined : setChosen };
}
