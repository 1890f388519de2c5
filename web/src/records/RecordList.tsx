import { MoreHorizontal, Plus, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import type { List } from '~/api/list';
import { useDay } from '~/day/day';
import { catalog } from '~/posting/catalog';
import type { StoredRecord } from '~/posting/posting';
import type { RecordKind } from '~/posting/records';
import { useOpenPosting } from '~/posting/useOpenPosting';
import { useBulkPostings, useMayPost, useRecordPostings } from '~/posting/usePostings';
import type { BulkAction } from '~/register/Bulk';
import type { Column, Filter } from '~/register/column';
import { Register } from '~/register/Register';
import { useAddress } from '~/shell/address';
import { Button, IconButton } from '~/ui/Button';
import { Drawer } from '~/ui/Drawer';
import { Menu } from '~/ui/Menu';
import { Empty, Failure } from '~/ui/Notice';
import { Facts } from '~/ui/Page';
import { useNarrow } from '~/ui/useNarrow';
import { Letterhead } from './Letterhead';

type Fact = readonly [string, ReactNode] | false | undefined;

type Props<Row extends { id: string }> = {
  /** The heading, such as "Shareholdings". */
  label: string;
  noun: string;
  list: List<Row>;
  columns: Column<Row>[];
  order?: string;
  filters?: Filter<Row>[];
  /** The kind of the record, whose postings the drawer offers. */
  kind?: RecordKind;
  /** The title of the drawer of a record. */
  title: (row: Row) => string;
  subtitle?: (row: Row) => ReactNode;
  facts: (row: Row) => Fact[];
  /** What the drawer shows below the facts. */
  details?: (row: Row) => ReactNode;
  /** Returns further actions on the selected records, beside copy, export and changes. */
  bulk?: (rows: Row[]) => BulkAction[];
  wide?: boolean;
  /** The holder and the first day of the statement as which the drawer is printed. */
  statement?: (row: Row) => { entity: string; from: string | undefined };
  /** The reason of an empty list, and the posting that begins it. */
  empty: { title: string; text?: string; post?: string };
  /** Distinguishes several lists on one page. */
  name?: string;
};

/** A register of records whose rows open a drawer with the facts of a record and the changes that the user may make. */
export function RecordList<Row extends { id: string }>(props: Props<Row>) {
  const { list, empty } = props;
  const [address, setAddress] = useAddress();
  const may = useMayPost();
  const open = useOpenPosting();
  const postings = useBulkPostings(props.kind ?? 'organization');
  if (list.error) return <Failure what={props.label} error={list.error} retry={list.refetch} />;
  const opened = list.rows.find((row) => row.id === address.open);
  const begin = empty.post;
  return (
    <>
      <Register
        label={props.label}
        noun={props.noun}
        name={props.name}
        rows={list.rows}
        columns={props.columns}
        rowId={(row) => row.id}
        loading={list.loading}
        complete={list.complete}
        order={props.order}
        filters={props.filters}
        onOpen={(row) => setAddress({ open: row.id }, true)}
        bulk={(rows) => [...(props.bulk?.(rows) ?? []), ...(props.kind ? postings(rows as StoredRecord[]) : [])]}
        empty={
          <Empty
            title={empty.title}
            action={
              begin &&
              may(begin) && (
                <Button look="primary" onClick={() => open(begin)}>
                  {catalog[begin]?.title}
                </Button>
              )
            }
          >
            {empty.text}
          </Empty>
        }
      />
      {opened && <RecordDrawer {...props} row={opened} onClose={() => setAddress({ open: undefined })} />}
    </>
  );
}

const most = 3; // buttons below a record on a narrow screen; further changes are in a menu

function RecordDrawer<Row extends { id: string }>(props: Props<Row> & { row: Row; onClose: () => void }) {
  const { row, kind } = props;
  const postings = useRecordPostings(kind ?? 'organization', kind ? (row as StoredRecord) : undefined);
  const narrow = useNarrow();
  const { date } = useDay();
  const shown = narrow && postings.length > most ? postings.slice(0, most - 1) : postings;
  return (
    <Drawer
      open
      tall
      wide={props.wide}
      onClose={props.onClose}
      title={props.title(row)}
      subtitle={props.subtitle?.(row)}
      footer={
        (postings.length > 0 || props.statement) && (
          <div className="flex flex-wrap gap-2">
            {shown.map((posting) => (
              <Button key={posting.label} className={posting.danger ? 'text-neg' : ''} onClick={posting.run}>
                {posting.label}
              </Button>
            ))}
            {shown.length < postings.length && (
              <Menu trigger={<Button>More</Button>} items={postings.slice(shown.length)} />
            )}
            {props.statement && (
              <Button onClick={() => window.print()}>
                <Printer size={15} aria-hidden />
                Print or save as PDF
              </Button>
            )}
          </div>
        )
      }
    >
      {props.statement && (
        <Letterhead {...props.statement(row)} name={props.title(row)} to={date} className="hidden print:block" />
      )}
      <Facts rows={props.facts(row)} pairs={props.wide} />
      {props.details?.(row)}
    </Drawer>
  );
}

/** Reports whether a list shows its empty state, which offers the posting that begins it. */
const isEmpty = ({ rows, loading, error }: List<unknown>): boolean => rows.length === 0 && !loading && !error;

type CreateProps = {
  postings: string[];
  /** The displayed lists of the page, by the posting that begins each. An empty one offers it in place of the button. */
  lists?: Record<string, List<unknown>>;
};

/** The buttons of a page that create records. The first posting is the main action, at the right; a narrow screen has the others in a menu. */
export function CreateButtons({ postings, lists = {} }: CreateProps) {
  const may = useMayPost();
  const open = useOpenPosting();
  const narrow = useNarrow();
  const allowed = postings.filter(may);
  const [main, ...further] = allowed;
  const shown = (names: string[]) => names.filter((name) => !lists[name] || !isEmpty(lists[name]));
  const others = narrow ? shown(further) : [];
  const buttons = shown(narrow ? allowed.slice(0, 1) : allowed)
    .map((name) => (
      <Button key={name} look={name === main ? 'primary' : 'outline'} onClick={() => open(name)}>
        <Plus size={15} aria-hidden />
        {catalog[name]?.title}
      </Button>
    ))
    .reverse();
  return (
    <>
      {others.length > 0 && (
        <Menu
          trigger={
            <IconButton label="More actions">
              <MoreHorizontal size={16} aria-hidden />
            </IconButton>
          }
          items={others.map((name) => ({ label: catalog[name]?.title ?? '', run: () => open(name) }))}
        />
      )}
      {buttons}
    </>
  );
}
