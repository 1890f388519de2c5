import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import type { Company } from './company';
import { type Command, type Group, matching } from './palette/command';
import { useCompanyGroups } from './palette/company';
import { useGeneralGroups } from './palette/general';
import { wordsOf } from './palette/match';

type Props = { company: Company | undefined; onAssistant?: () => void; onClose: () => void };
type Find = (words: string[]) => Group[];

/** A list of everything that can be opened or done, found by typing. */
export default function Palette({ company, onAssistant, onClose }: Props) {
  const general = useGeneralGroups(company, onAssistant);
  const find: Find = (words) => matching(general, words);
  return company ? (
    <CompanyPalette company={company} find={find} onClose={onClose} />
  ) : (
    <Commands find={find} onClose={onClose} />
  );
}

/** The palette with the commands and the records of a company. The records load when the first letter is typed. */
function CompanyPalette({ company, find, onClose }: { company: Company; find: Find; onClose: () => void }) {
  const [text, setText] = useState('');
  const [typed, setTyped] = useState(false);
  const groups = useCompanyGroups(company, typed, text);
  const onType = (next: string) => {
    setText(next);
    setTyped(true);
  };
  return <Commands find={(words) => [...groups(words), ...find(words)]} onType={onType} onClose={onClose} />;
}

function Commands({ find, onType, onClose }: { find: Find; onType?: (text: string) => void; onClose: () => void }) {
  const [text, setText] = useState('');
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-80 bg-black/25 dark:bg-black/50" />
        <Dialog.Popup
          aria-label="Command palette"
          className="pop fixed top-[14vh] left-1/2 z-80 w-[560px] max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden"
        >
          <Autocomplete.Root
            items={find(wordsOf(text))}
            mode="none"
            value={text}
            onValueChange={(next) => {
              setText(next);
              onType?.(next);
            }}
            open
            inline
            autoHighlight="always"
            itemToStringValue={(command: Command) => command.label}
          >
            <Autocomplete.Input
              aria-label="Search commands"
              placeholder="Type a page, a record or an action"
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
                    {(command: Command) => <Entry key={command.value} command={command} onClose={onClose} />}
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

function Entry({ command, onClose }: { command: Command; onClose: () => void }) {
  return (
    <Autocomplete.Item
      value={command}
      onClick={() => {
        onClose();
        command.run();
      }}
      className="flex h-9 items-center gap-3 rounded-md px-2.5 data-highlighted:bg-active"
    >
      <span className="truncate">{command.label}</span>
      {command.detail && <span className="num ml-auto max-w-1/2 shrink-0 truncate text-ink-3">{command.detail}</span>}
      {command.hint && (
        <span className="ml-auto flex gap-1">
          {command.hint.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </Autocomplete.Item>
  );
}
