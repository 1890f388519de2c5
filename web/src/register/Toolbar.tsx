import { ArrowUpDown, Columns3, MoreHorizontal, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Address, listOf, toggled } from '~/shell/address';
import { IconButton } from '~/ui/Button';
import { Menu } from '~/ui/Menu';
import { type Column, type Filter, isDescending, nextSort } from './column';
import { copyRows, exportRows } from './copies';
import { FilterChips } from './FilterChips';

type Props<Row> = {
  label: string;
  count: string;
  filters: Filter<Row>[];
  columns: Column<Row>[];
  visible: Column<Row>[];
  /** The columns of copies and exports, which do not depend on the width of the screen. */
  exported: Column<Row>[];
  rows: Row[];
  file: string;
  address: Address;
  name: (part: string) => string;
  setAddress: (change: Address) => void;
  /** The order, if it is chosen in a menu because the register has no header. */
  sort?: { by: string | undefined; onSort: (sort: string) => void };
  actions?: ReactNode;
};

/** The bar above a register: its heading, filters, search, columns, copy and export. */
export function Toolbar<Row>({
  label,
  count,
  filters,
  columns,
  visible,
  exported,
  rows,
  file,
  address,
  name,
  setAddress,
  sort,
  actions,
}: Props<Row>) {
  const ids = visible.map((column) => column.id);
  return (
    <div className="flex min-h-12 flex-wrap print:min-h-0 items-center gap-2 border-t border-line py-2">
      <h2 className="font-medium">{label}</h2>
      <span className="num mr-auto text-ink-3" aria-live="polite">
        {count}
      </span>
      {filters.map((filter) => (
        <FilterChips
          key={count ? filter.id : `${filter.id} loading`}
          filter={filter}
          values={listOf(address[name(filter.id)])}
          onChange={(values) => setAddress({ [name(filter.id)]: values })}
        />
      ))}
      <div className="flex items-center gap-2 max-[900px]:grow print:hidden">
        <div className="relative w-52 max-[900px]:min-w-36 max-[900px]:flex-1">
          <Search size={14} aria-hidden className="absolute top-2.25 left-2.5 text-ink-3" />
          <input
            type="search"
            data-search
            aria-label={`Search ${label.toLowerCase()}`}
            placeholder={`Search ${label.toLowerCase()}`}
            className="field pl-8! [&::-webkit-search-cancel-button]:hidden"
            value={address[name('q')] ?? ''}
            onChange={(event) => setAddress({ [name('q')]: event.target.value || undefined })}
            onKeyDown={(event) => event.key === 'Escape' && setAddress({ [name('q')]: undefined })}
          />
          {!address[name('q')] && <kbd className="absolute top-1.75 right-2 max-[900px]:hidden">/</kbd>}
        </div>
        {sort && (
          <Menu
            trigger={
              <IconButton label="Sort">
                <ArrowUpDown size={16} aria-hidden />
              </IconButton>
            }
            items={visible.map((column) => {
              const checked = sort.by?.replace(/^-/, '') === column.id;
              return {
                label: column.header,
                checked,
                hint: checked ? (isDescending(sort.by) ? 'descending' : 'ascending') : '',
                run: () => sort.onSort(nextSort(column, sort.by)),
              };
            })}
          />
        )}
        <Menu
          trigger={
            <IconButton label="Columns">
              <Columns3 size={16} aria-hidden />
            </IconButton>
          }
          items={columns.map((column) => ({
            label: column.header,
            checked: ids.includes(column.id),
            run: () => setAddress({ [name('columns')]: toggled(ids, column.id) }),
          }))}
        />
        <Menu
          trigger={
            <IconButton label="Copy and export">
              <MoreHorizontal size={16} aria-hidden />
            </IconButton>
          }
          items={[
            { label: 'Copy as text', run: () => copyRows(rows, exported) },
            { label: 'Export as CSV', run: () => exportRows(rows, exported, file) },
            { label: 'Print', run: () => window.print() },
          ]}
        />
      </div>
      {actions}
    </div>
  );
}
