import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { Menu } from '~/ui/Menu';
import type { Company } from './company';
import { useUser } from './user';

/** The present company, and a menu of all companies of the user. */
export function CompanySwitcher({ company }: { company: Company | undefined }) {
  const navigate = useNavigate();
  const { organizations = [] } = useUser();
  const name = company?.name ?? 'Equity';
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label="Companies"
          className="mb-3 flex h-9 shrink-0 items-center gap-2.5 rounded-md px-2 text-left hover:bg-hover"
        >
          <span className="grid size-6 shrink-0 place-items-center rounded-md bg-primary text-xs font-semibold text-on-primary">
            {name.charAt(0)}
          </span>
          <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
          <ChevronsUpDown size={14} aria-hidden className="text-ink-3" />
        </button>
      }
      items={[
        ...organizations.map((one) => ({
          label: one.name,
          run: () => navigate({ to: '/company/$organization', params: { organization: one.id } }),
        })),
        { label: 'All companies', run: () => navigate({ to: '/' }) },
        { label: 'New company', run: () => navigate({ to: '/start' }) },
      ]}
    />
  );
}
