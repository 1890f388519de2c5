import { Link } from '@tanstack/react-router';
import { House, LogOut, type LucideIcon, Search, ShieldCheck, Sparkles, SunMoon, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { onSameDay } from '~/day/day';
import { IconButton } from '~/ui/Button';
import { CompanySwitcher } from './CompanySwitcher';
import type { Company } from './company';
import { pagesOf } from './pages';
import { signOut } from './signOut';
import { toggleTheme } from './theme';
import { useUser } from './user';

const item = 'flex h-[30px] shrink-0 items-center gap-2.5 rounded-md px-2 text-ink-2 hover:bg-hover hover:text-ink';
const current = { className: 'bg-active text-ink! font-medium', 'aria-current': 'page' } as const;

type Props = { company: Company | undefined; onSearch: () => void; onAssistant?: () => void; onNavigate?: () => void };

function Entry({
  to,
  icon: Icon,
  label,
  hint,
  exact,
  dated,
  onNavigate,
}: {
  to: string;
  icon: LucideIcon;
  label: ReactNode;
  hint?: string;
  exact?: boolean;
  /** Whether the page shows the chosen day. */
  dated?: boolean;
  onNavigate?: () => void;
}) {
  return (
    <Link
      to={to}
      className={item}
      activeProps={current}
      activeOptions={{ exact, includeSearch: false }}
      title={hint && `Keys: ${hint.replace(' ', ', then ')}`}
      onClick={onNavigate}
      search={dated ? onSameDay() : undefined}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      {label}
    </Link>
  );
}

/** The navigation: companies, search, pages, and the user. */
export function Sidebar({ company, onSearch, onAssistant, onNavigate }: Props) {
  const user = useUser();
  const shown = company ? pagesOf(company).filter((page) => !page.inner) : [];
  const groups = [...new Set(shown.map((page) => page.group))];
  return (
    <div className="flex min-h-0 flex-1 flex-col px-3 pt-3 pb-2">
      <CompanySwitcher company={company} />
      <button
        type="button"
        onClick={onSearch}
        className="mb-2 flex h-8 shrink-0 items-center gap-2 rounded-md border border-line bg-surface px-2 text-ink-3 hover:border-line-strong"
      >
        <Search size={14} aria-hidden />
        Search or jump to
        <span className="ml-auto">
          <kbd>⌘K</kbd>
        </span>
      </button>
      <nav aria-label="Main" className="-mx-3 flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-3 pb-2">
        <Entry to="/" exact icon={House} label="Home" hint="G H" onNavigate={onNavigate} />
        {groups.map((group) => (
          <div key={group} className="contents">
            <p className="mt-2 px-2 pb-0.5 text-xs text-ink-3">{group}</p>
            {shown
              .filter((page) => page.group === group)
              .map((page) => (
                <Entry
                  key={page.to}
                  to={`/company/${company?.id}/${page.to}`}
                  icon={page.icon}
                  label={page.label}
                  hint={page.key && `G ${page.key.toUpperCase()}`}
                  dated
                  onNavigate={onNavigate}
                />
              ))}
          </div>
        ))}
      </nav>
      <div className="flex flex-col gap-0.5 border-t border-line pt-2">
        {onAssistant && (
          <button
            type="button"
            onClick={() => {
              onNavigate?.();
              onAssistant();
            }}
            className={item}
            aria-keyshortcuts="Control+J Meta+J"
          >
            <Sparkles size={16} strokeWidth={1.75} aria-hidden />
            Assistant
            <span className="ml-auto">
              <kbd>⌘J</kbd>
            </span>
          </button>
        )}
        {user.siteAdmin && <Entry to="/admin" icon={ShieldCheck} label="Administration" onNavigate={onNavigate} />}
        <div className="flex items-center [&>a]:min-w-0 [&>a]:flex-1">
          <Entry
            to="/settings"
            icon={UserRound}
            label={
              <span className="truncate">{`${user.firstName ?? ''} ${user.lastName ?? ''}`.trim() || user.email}</span>
            }
            onNavigate={onNavigate}
          />
          <IconButton label="Switch theme" onClick={toggleTheme}>
            <SunMoon size={16} strokeWidth={1.75} aria-hidden />
          </IconButton>
          <IconButton label="Sign out" onClick={signOut}>
            <LogOut size={16} strokeWidth={1.75} aria-hidden />
          </IconButton>
        </div>
      </div>
    </div>
  );
}
