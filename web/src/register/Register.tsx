import { type CSSProperties, type ReactNode, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react';
import { quantity } from '~/format/figures';
import { counted } from '~/format/words';
import { listOf, useAddress } from '~/shell/address';
import { usePrinting } from '~/ui/print';
import { keepOneStop } from '~/ui/roving';
import { useNarrow } from '~/ui/useNarrow';
import { useMeasured } from '~/ui/useWidth';
import { Body } from './Body';
import { Bulk, type BulkAction } from './Bulk';
import { type Column, type Filter, tracks } from './column';
import { exportRows } from './copies';
import { fitting } from './fitting';
import { Heading } from './Heading';
import { PrintedRows } from './PrintedRows';
import { Toolbar } from './Toolbar';
import { type MoveTo, useGridKeys } from './useGridKeys';
import { usePrintLimit } from './usePrintLimit';
import { useScroller } from './useScroller';
import { useSelection } from './useSelection';
import { useShown } from './useShown';

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
  /** Returns the actions on the selected rows, beside copy and export. */
  bulk?: (rows: Row[]) => BulkAction[];
  actions?: ReactNode;
  /** Shown if there are no rows at all. */
  empty: ReactNode;
  /** Whether all rows are loaded; they are by default. */
  complete?: boolean;
  /** Downloads all rows as a workbook; as CSV by default. */
  workbook?: () => void;
  /** Distinguishes the state of several registers on one page in the URL. */
  name?: string;
};

/**
 * The grid of all lists: virtual rows, sticky header with sums, sort, filters, search, choice of columns, selection,
 * copy as tab-separated text, export. The URL holds sort, search, filters and hidden columns. The grid is one tab stop.
 */
export function Register<Row>(props: Props<Row>) {
  const { rowId, filters = [], order, name = '' } = props;
  // New rows are rendered after the rest of the page, in pieces.
  const rows = useDeferredValue(props.rows);
  const columns = useDeferredValue(props.columns);
  const loading = useDeferredValue(props.loading ?? false);
  const [address, setAddress] = useAddress();
  const narrow = useNarrow();
  const printing = usePrinting();
  const grid = useRef<HTMLDivElement>(null);
  const moveTo = useRef<MoveTo>(undefined);
  const scroller = useScroller(grid);
  const key = (part: string) => (name ? `${name}.${part}` : part);
  const sort = address[key('sort')] ?? order;
  const chosen = address[key('columns')];
  const wanted = useMemo(() => {
    const ids = listOf(chosen);
    return columns.filter((column) => (ids.length > 0 ? ids.includes(column.id) : !column.extra));
  }, [columns, chosen]);
  const [place, width] = useMeasured();
  const measured = !narrow && chosen === undefined; // a list and a choice of columns are independent of the width
  const fits = !measured || width === 0;
  const visible = useMemo(() => (fits ? wanted : fitting(wanted, width)), [wanted, fits, width]);
  const { kept, shown } = useShown(rows, columns, filters, {
    query: address[key('q')],
    sort,
    chosen: filters.map((filter) => address[key(filter.id)]),
  });
  usePrintLimit(
    printing ? shown.length : 0,
    props.noun,
    props.workbook ?? (() => exportRows(shown, wanted, props.file ?? props.label)),
  );
  const { selected, picked, extent, toggle, selectAll } = useSelection(shown, rowId);
  const { onFocus, onKeyDown } = useGridKeys(grid, moveTo, {
    rows: shown.length,
    onOpen: (index) => shown[index] && props.onOpen?.(shown[index]),
    onToggle: (index) => toggle(index, false),
    onClear: () => selectAll(false),
  });
  useLayoutEffect(() => keepOneStop(grid.current, '[data-index]'));
  if (!loading && rows.length === 0) return props.empty;
  const clear = () =>
    setAddress(
      Object.fromEntries([key('q'), ...filters.map((filter) => key(filter.id))].map((part) => [part, undefined])),
    );
  const onSort = (next: string) => setAddress({ [key('sort')]: next });
  const above = 1 + (!narrow && visible.some((column) => column.sum) ? 1 : 0);
  return (
    <section ref={measured ? place : undefined} aria-label={props.label}>
      <Toolbar
        label={props.label}
        count={
          loading
            ? ''
            : shown.length === rows.length
              ? counted(rows.length, props.noun)
              : `${quantity(shown.length.toString())} of ${counted(rows.length, props.noun)}`
        }
        filters={filters}
        columns={columns}
        visible={visible}
        exported={wanted}
        rows={picked.length > 0 ? picked : shown}
        file={props.file ?? props.label}
        address={address}
        name={key}
        setAddress={setAddress}
        sort={narrow ? { by: sort, onSort } : undefined}
        actions={props.actions}
      />
      <div
        key={loading ? 'loading' : 'loaded'}
        ref={grid}
        role="grid"
        className={`print:hidden ${loading ? 'unsized' : ''}`}
        aria-label={props.label}
        aria-rowcount={shown.length + above}
        aria-multiselectable
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        style={{ '--tracks': `16px ${tracks(visible)}`, '--list': '16px minmax(0,1fr) minmax(0,1fr)' } as CSSProperties}
      >
        <Heading
          columns={visible}
          sort={sort}
          onSort={onSort}
          rows={kept}
          narrow={narrow}
          selected={extent}
          onSelectAll={selectAll}
        />
        <Body
          rows={shown}
          columns={visible}
          rowId={rowId}
          loading={loading}
          narrow={narrow}
          above={above}
          selected={selected}
          grid={grid}
          scroller={scroller}
          moveTo={moveTo}
          onToggle={toggle}
          onOpen={props.onOpen}
          onClear={clear}
          noun={props.noun}
        />
      </div>
      {printing && !loading && (
        <PrintedRows
          label={props.label}
          noun={props.noun}
          rows={shown}
          columns={wanted}
          rowId={rowId}
          complete={props.complete ?? true}
        />
      )}
      {picked.length > 0 && (
        <Bulk
          rows={picked}
          columns={wanted}
          noun={props.noun}
          file={props.file ?? props.label}
          actions={props.bulk?.(picked) ?? []}
          onDone={() => selectAll(false)}
        />
      )}
    </section>
  );
}
