import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { Proof } from '~/activity/Proof';
import { useJournal } from '~/activity/useJournal';
import type { Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { moment } from '~/format/dates';
import { words } from '~/format/words';
import { describe } from '~/journal/describe';
import { useHolders } from '~/records/useNames';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Combobox } from '~/ui/Combobox';
import { Drawer } from '~/ui/Drawer';
import { Failure } from '~/ui/Notice';
import { Facts, Page, Section } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/activity')({ component: ActivityPage });

type Entry = Schema<'JournalEntry'>;

/** The journal as sentences, newest first, and its proof. */
function ActivityPage() {
  const { id: organization } = useCompany();
  const [address, setAddress] = useAddress();
  const { members } = useHolders();
  const journal = useJournal(organization, {
    ...(address.type && { type: address.type }),
    ...(address.by && { by: address.by }),
  });
  const [types, setTypes] = useState<string[]>([]);
  const entries = journal.data ?? [];
  const known = [...new Set([...types, ...entries.map((entry) => entry.type)])].sort();
  if (known.length > types.length) setTypes(known);
  const authors = members.flatMap((member) => (member.user ? [{ value: member.user, label: member.fullName }] : []));
  const author = (by: string) =>
    authors.find((one) => one.value === by)?.label ??
    (by.startsWith('system:') ? words(by.slice('system:'.length)) : 'Operator');
  const opened = entries.find((entry) => entry.sequence.toString() === address.entry);
  if (journal.isError) return <Failure what="The journal" error={journal.error} retry={journal.refetch} />;
  return (
    <Page title="Activity" subtitle="Every change with its author. Entries are never changed or removed.">
      <Section title="Proof">
        <Proof />
      </Section>
      <Section
        title="Entries"
        actions={
          <>
            <div className="w-56">
              <Combobox
                choices={types.map((type) => ({ value: type, label: words(type) }))}
                value={address.type}
                onChange={(type) => setAddress({ type: type || undefined })}
                placeholder="All kinds"
                label="Kind"
              />
            </div>
            <div className="w-48">
              <Combobox
                choices={authors}
                value={address.by}
                onChange={(by) => setAddress({ by: by || undefined })}
                placeholder="All authors"
                label="Author"
              />
            </div>
            {(address.type || address.by) && (
              <Button onClick={() => setAddress({ type: undefined, by: undefined })}>Clear</Button>
            )}
          </>
        }
      >
        {journal.isPending ? (
          <div className="skeleton h-96" />
        ) : (
          <ol className="border-t border-line">
            {entries.map((entry) => (
              <li key={entry.sequence}>
                <button
                  type="button"
                  onClick={() => setAddress({ entry: entry.sequence.toString() }, true)}
                  className="flex min-h-9 w-full items-center gap-4 border-b border-line py-1.5 text-left hover:bg-hover"
                >
                  <span className="num w-12 shrink-0 text-ink-3">{entry.sequence}</span>
                  <span className="min-w-0 flex-1">{describe(entry.type, entry.data)}</span>
                  <span className="w-40 shrink-0 truncate text-ink-2 max-[900px]:hidden">{author(entry.by)}</span>
                  <span className="num shrink-0 text-ink-3 max-[900px]:hidden">{moment(entry.recordedAt)}</span>
                </button>
              </li>
            ))}
          </ol>
        )}
        {journal.hasNextPage && (
          <Button className="mt-4" disabled={journal.isFetchingNextPage} onClick={() => journal.fetchNextPage()}>
            {journal.isFetchingNextPage ? 'Loading…' : 'Load older entries'}
          </Button>
        )}
      </Section>
      {opened && (
        <EntryDrawer entry={opened} author={author(opened.by)} onClose={() => setAddress({ entry: undefined })} />
      )}
    </Page>
  );
}

/** All facts of an entry, and the way back to the company as it was then. */
function EntryDrawer({ entry, author, onClose }: { entry: Entry; author: string; onClose: () => void }) {
  const { set } = useDay();
  return (
    <Drawer
      open
      onClose={onClose}
      title={words(entry.type)}
      subtitle={`Journal entry ${entry.sequence}`}
      footer={
        <Button onClick={() => set({ knownAt: entry.sequence.toString() })}>Show the company at this entry</Button>
      }
    >
      <Facts
        rows={[
          ['Author', author],
          ['Recorded', moment(entry.recordedAt)],
        ]}
      />
      <pre className="num mt-4 overflow-x-auto rounded-[7px] bg-canvas p-3 text-xs whitespace-pre-wrap">
        {JSON.stringify(entry.data, null, 2)}
      </pre>
      <p className="mt-2 text-xs break-all text-ink-3">{entry.hash}</p>
    </Drawer>
  );
}
