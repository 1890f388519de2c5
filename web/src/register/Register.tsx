import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';
import { counted } from '~/format/words';
import { listOf, useAddress } from '~/shell/address';
import { useNarrow } from '~/ui/useNarrow';
import { Body } from './Body';
import { Bulk, type BulkAction } from './Bulk';
import { type Column, type Filter, found, sorted, tracks } from './column';
import { Heading } from './Heading';
import { Toolbar } from './Toolbar';

type Props<Row> = {
  /** The heading, such as "Holders". */
  label: string;
  noun: string;
  rows: Row[];
  columns: Column<Row>[];
  rowId: (row: Row) => string;
  loading?: boolean;
  /** The initial order, "COLUMN" or "-COLUMN". */
  order?: string;
  filters?: Filter<Row>[];
  /** Opens the details of a row. */
  onOpen?: (row: Row) => void;
  /** The name of an exported file. */
  file?: string;
  bulk?: BulkAction<Row>[];
  actions?: ReactNode;
  /** Shown if there are no rows at all. */
  empty: ReactNode;
  /** Distinguishes the state of several registers on one page in the URL. */
  name?: string;
};

/**
 * The grid of all lists: virtual rows, sticky header with sums, sort, filters, search, choice of columns, selection,
 * copy as tab-separated text, export. The URL holds sort, search, filters and hidden columns. The grid is one tab stop:
 * arrows, Home, End and Page keys move, Enter opens, Space selects, Escape clears the selection.
 */
export function Register<Row>(props: Props<Row>) {
  const { rowId, filters = [], order, name = '' } = props;
  // New rows are rendered after the rest of the page, in pieces.
  const rows = useDeferredValue(props.rows);
  const columns = useDeferredValue(props.columns);
  const loading = useDeferredValue(props.loading ?? false);
  const [address, setAddress] = useAddress();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const narrow = useNarrow();
  const grid = useRef<HTMLDivElement>(null);
  const key = (part: string) => (name ? `${name}.${part}` : part);
  const query = address[key('q')];
  const sort = address[key('sort')] ?? order;
  const chosen = listOf(address[key('columns')]);
  const visible = useMemo(
    () => columns.filter((column) => (chosen.length > 0 ? chosen.includes(column.id) : !column.extra)),
    [columns, chosen],
  );
  const active = JSON.stringify(filters.map((filter) => address[key(filter.id)]));
  const shown = useMemo(() => {
    const kept = filters.reduce((left, filter) => {
      const values = listOf(address[key(filter.id)]);
      if (values.length === 0) return left;
      return left.filter((row) => [filter.value(row)].flat().some((value) => values.includes(value)));
    }, rows);
    return sorted(found(kept, columns, query), columns, sort);
  }, [rows, columns, query, sort, active]);
  if (!loading && rows.length === 0) return props.empty;
  const clear = () =>
    setAddress(
      Object.fromEntries([key('q'), ...filters.map((filter) => key(filter.id))].map((part) => [part, undefined])),
    );
  const toggle = (id: string) =>
    setSelected((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const picked = shown.filter((row) => selected.has(rowId(row)));
  return (
    <section aria-label={props.label}>
      <Toolbar
        label={props.label}
        count={
          loading
            ? ''
            : shown.length === rows.length
              ? counted(rows.length, props.noun)
              : `${shown.length} of ${counted(rows.length, props.noun)}`
        }
        filters={filters}
        columns={columns}
        visible={visible.map((column) => column.id)}
        rows={picked.length > 0 ? picked : shown}
        file={props.file ?? props.label}
        address={address}
        name={key}
        setAddress={setAddress}
        actions={props.actions}
      />
      <div
        key={loading ? 'loading' : 'loaded'}
        ref={grid}
        role="grid"
        aria-label={props.label}
        aria-rowcount={shown.length + 1}
        aria-multiselectable={props.bulk ? true : undefined}
        style={{ '--tracks': tracks(visible) } as React.CSSProperties}
      >
        {!narrow && (
          <Heading columns={visible} sort={sort} onSort={(next) => setAddress({ [key('sort')]: next })} rows={shown} />
        )}
        <Body
          rows={shown}
          columns={visible}
          rowId={rowId}
          loading={loading}
          narrow={narrow}
          selected={selected}
          selectable={props.bulk !== undefined}
          onToggle={toggle}
          onClearSelection={() => setSelected(new Set())}
          onOpen={props.onOpen}
          onClear={clear}
          noun={props.noun}
        />
      </div>
      {props.bulk && picked.length > 0 && (
        <Bulk
          rows={picked}
          columns={visible}
          noun={props.noun}
          actions={props.bulk}
          onDone={() => setSelected(new Set())}
        />
      )}
    </section>
  );
}
