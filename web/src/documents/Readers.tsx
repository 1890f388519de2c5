import { useList } from '~/api/list';
import { moment } from '~/format/dates';
import { counted } from '~/format/words';
import { useHolders } from '~/records/useNames';
import { useCompany } from '~/shell/company';
import { Failure } from '~/ui/Notice';
import { Facts } from '~/ui/Page';
import type { Item } from './api';
import { readersOf } from './countReaders';

/** The persons who read a document, for its editors. */
export function Readers({ item }: { item: Item }) {
  const { id: organization } = useCompany();
  const { members } = useHolders();
  const views = useList('/organization/{organization}/document/{document}/view', {
    path: { organization, document: item.id },
  });
  const readers = readersOf(views.rows);
  if (views.error) return <Failure what="The readers" error={views.error} retry={views.refetch} />;
  if (views.loading) return <div className="skeleton unsized mt-6 h-24" />;
  if (readers.length === 0) return null;
  return (
    <section aria-label="Readers" className="mt-6">
      <h3 className="mb-1 font-medium">Readers</h3>
      <Facts
        rows={readers.map((reader) => [
          reader.email ?? members.find((member) => member.user === reader.user)?.fullName ?? 'Former member',
          [
            reader.views > 0 && counted(reader.views, 'view'),
            reader.downloads > 0 && counted(reader.downloads, 'download'),
            `last ${moment(reader.last)}`,
          ]
            .filter(Boolean)
            .join(', '),
        ])}
      />
    </section>
  );
}
