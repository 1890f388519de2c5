import { useNavigate } from '@tanstack/react-router';
import type { Company } from '../company';
import { signOut } from '../signOut';
import { toggleTheme } from '../theme';
import { useUser } from '../user';
import { type Command, command, type Group } from './command';

const tabs = [
  ['sessions', 'Sessions', 'devices signed in'],
  ['factor', 'Second factor', 'authenticator recovery codes'],
  ['tokens', 'API tokens', ''],
  ['rewards', 'Wallets and rewards', 'credit referrals'],
  ['data', 'Your data', 'export erase'],
] as const;

/** Returns the commands that need no company: other companies, the pages of the user, and the application's own. */
export function useGeneralGroups(company: Company | undefined, toggleAssistant?: () => void): Group[] {
  const navigate = useNavigate();
  const { organizations = [], siteAdmin } = useUser();
  const own: (Command | false | undefined)[] = [
    command('Home', () => navigate({ to: '/' }), { hint: 'G H', keywords: 'portfolio companies' }),
    command('Your settings', () => navigate({ to: '/settings' }), { keywords: 'profile password language' }),
    ...tabs.map(([tab, label, keywords]) =>
      command(label, () => navigate({ to: '/settings', search: { tab } }), { detail: 'Your settings', keywords }),
    ),
    command('New company', () => navigate({ to: '/start' }), { keywords: 'create onboarding' }),
    siteAdmin &&
      command('Administration', () => navigate({ to: '/admin' }), { keywords: 'site statistics people blocklist' }),
    toggleAssistant && command('Assistant', toggleAssistant, { hint: '⌘ J' }),
    command('Switch theme', toggleTheme, { keywords: 'dark light' }),
    command('API reference', () => window.open('/docs', '_blank', 'noopener'), { keywords: 'documentation' }),
    command('Sign out', signOut),
  ];
  return [
    {
      value: 'Companies',
      items: organizations
        .filter((one) => one.id !== company?.id)
        .map((one) =>
          command(one.name, () => navigate({ to: '/company/$organization', params: { organization: one.id } })),
        ),
    },
    { value: 'Equity', items: own.filter((one): one is Command => !!one) },
  ];
}
