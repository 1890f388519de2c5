import { createFileRoute } from '@tanstack/react-router';
import { Entries } from '~/activity/Entries';
import { EntryDrawer } from '~/activity/EntryDrawer';
import { Filters } from '~/activity/Filters';
import { Proof } from '~/activity/Proof';
import { useJournalNames } from '~/activity/useAuthors';
import { useEntry, useJournal } from '~/activity/useJournal';
import { useDay } from '~/day/day';
import { isOrigin } from '~/journal/origins';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Empty, Failure } from '~/ui/Notice';
import { Page, Section } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/activity')({
  component: ActivityPage,
  staticData: { undated: 'asOf' },
});

/** The journal as sentences, newest first, and its proof. */
function ActivityPage() {
  const { id: organization } = useCompany();
  const { knownAt } = useDay();
  const [address, setAddress] = useAddress();
  const { type, by, from, to, entry: sequence } = address;
  const origin = isOrigin(address.origin) ? address.origin : undefined;
  const authorGains = address.gains === 'true' ? true : undefined;
  const journal = useJournal(organization, { type, by, origin, authorGains, from, to, knownAt });
  const { entries } = journal;
  const loaded = entries.find((entry) => entry.sequence.toString() === sequence);
  const single = useEntry(organization, journal.isPending || loaded ? undefined : sequence);
  const opened = loaded ?? (single.isError ? null : single.data);
  const { names, loading } = useJournalNames(entries);
  if (journal.isError) return <Failure what="The journal" error={journal.error} retry={journal.refetch} />;
  return (
    <Page title="Activity" subtitle="Every change with its author and origin. Entries are never changed or removed.">
      <Section title="Proof">
        <Proof />
      </Section>
      <Section title="Entries" actions={<Filters />}>
        {journal.isPending || loading ? (
          <div className="skeleton h-96" />
        ) : entries.length > 0 ? (
          <Entries
            entries={entries}
            names={names}
            onOpen={(entry) => setAddress({ entry: entry.sequence.toString() }, true)}
            more={journal.hasNextPage ? () => journal.fetchNextPage() : undefined}
            loading={journal.isFetchingNextPage}
          />
        ) : (
          <Empty title="No entries">No entry of the journal matches the filters.</Empty>
        )}
      </Section>
      {sequence && (
        <EntryDrawer
          sequence={sequence}
          entry={opened}
          names={names}
          onClose={() => setAddress({ entry: undefined })}
        />
      )}
    </Page>
  );
}
