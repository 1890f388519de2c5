import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '~/api/list';
import { catalog } from '~/posting/catalog';
import type { Address } from './address';
import type { Company } from './company';
import { useShownPages } from './shownPages';
import { signOut } from './signOut';
import { toggleTheme } from './theme';

type Command = { value: string; label: string; hint?: string; run: () => void };
type Group = { value: string; items: Command[] };

const mostRecords = 40;

/** The commands of the palette: pages, changes that need no record, stakeholders, and the application's own. */
function useCommands(company: Company | undefined): Group[] {
  const navigate = useNavigate();
  const reads = company?.can('viewMembers') ?? false;
  const members = useList('/organization/{organization}/member', { path: { organization: company?.id ?? '' } }, reads);
  const at = (page: string, search: Record<string, string> = {}) =>
    navigate({ to: `/company/${company?.id}/${page}`, search: search });
  const shown = useShownPages(company);
  const groups: Group[] = [];
  if (company) {
    const open = shown;
    groups.push({
      value: 'Go to',
      items: open.map((page) => ({
        value: page.to,
        label: page.label,
        hint: page.key && `G ${page.key.toUpperCase()}`,
        run: () => at(page.to),
      })),
    });
    const changes = Object.entries(catalog).filter(
      ([, posting]) => !posting.record && !posting.offered && (!posting.permission || company.can(posting.permission)),
    );
    groups.push({
      value: 'Actions',
      items: changes.map(([name, posting]) => ({
        value: name,
        label: posting.title,
        run: () => navigate({ to: '.', search: (before: Address) => ({ ...before, post: name }) }),
      })),
    });
    groups.push({
      value: 'Stakeholders',
      items: members.rows.map((member) => ({
        value: member.id,
        label: member.fullName,
        run: () => at('stakeholders', { open: member.id }),
      })),
    });
  }
  groups.push({
    value: 'Equity',
    items: [
      { value: 'home', label: 'Home', hint: 'G H', run: () => navigate({ to: '/' }) },
      { value: 'profile', label: 'Your settings', run: () => navigate({ to: '/settings' }) },
      { value: 'theme', label: 'Switch theme', run: toggleTheme },
      { value: 'reference', label: 'API reference', run: () => window.open('/docs', '_blank', 'noopener') },
      { value: 'out', label: 'Sign out', run: signOut },
    ],
  });
  return groups;
}

/** A list of everything that can be opened or done, found by typing. */
export default function Palette({ company, onClose }: { company: Company | undefined; onClose: () => void }) {
  const groups = useCommands(company);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-80 bg-black/25 dark:bg-black/50" />
        <Dialog.Popup
          aria-label="Command palette"
          className="pop fixed top-[14vh] left-1/2 z-80 w-[560px] max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden"
        >
          <Autocomplete.Root
            items={groups}
            open
            inline
            autoHighlight="always"
            limit={mostRecords}
            itemToStringValue={(command: Command) => command.label}
          >
            <Autocomplete.Input
              aria-label="Search commands"
              placeholder="Type a command or search"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-ink-3"
            />
            <Autocomplete.Empty className="px-4 py-6 text-center text-ink-3 empty:hidden">
              No commands found
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-80 overflow-y-auto p-1.5">
              {(group: Group) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-xs text-ink-3">
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.value}
                        value={command}
                        onClick={() => {
                          onClose();
                          command.run();
                        }}
                        className="flex h-9 items-center rounded-md px-2.5 data-highlighted:bg-active"
                      >
                        {command.label}
                        {command.hint && (
                          <span className="ml-auto flex gap-1">
                            {command.hint.split(' ').map((key) => (
                              <kbd key={key}>{key}</kbd>
                            ))}
                          </span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
