import { Columns3, MoreHorizontal, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Address, listOf, toggled } from '~/shell/address';
import { IconButton } from '~/ui/Button';
import { Swatch } from '~/ui/Chip';
import { copy } from '~/ui/copy';
import { Menu } from '~/ui/Menu';
import { type Column, delimited, type Filter } from './column';
import { download } from './download';

type Props<Row> = {
  label: string;
  count: string;
  filters: Filter<Row>[];
  columns: Column<Row>[];
  visible: string[];
  rows: Row[];
  file: string;
  address: Address;
  name: (part: string) => string;
  setAddress: (change: Address) => void;
  actions?: ReactNode;
};

const most = 3; // choices of a filter beside the search; more of them have a line of their own

/** The bar above a register: its heading, filters, search, columns, copy and export. */
export function Toolbar<Row>({
  label,
  count,
  filters,
  columns,
  visible,
  rows,
  file,
  address,
  name,
  setAddress,
  actions,
}: Props<Row>) {
  const shown = columns.filter((column) => visible.includes(column.id));
  const copyRows = () => copy(delimited(rows, shown, '\t'), `${rows.length} rows copied`);
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-2 border-t border-line py-2">
      <h2 className="font-medium">{label}</h2>
      <span className="num mr-auto text-ink-3" aria-live="polite">
        {count}
      </span>
      {filters.map((filter) => {
        const values = listOf(address[name(filter.id)]);
        return (
          <fieldset
            key={count ? filter.id : `${filter.id} loading`}
            className={`flex flex-wrap gap-1.5 ${filter.choices.length > most ? 'order-last w-full' : ''}`}
            aria-label={filter.label}
          >
            {filter.choices.map((choice) => (
              <button
                type="button"
                key={choice.value}
                aria-pressed={values.includes(choice.value)}
                onClick={() => setAddress({ [name(filter.id)]: toggled(values, choice.value) })}
                className="flex h-7 items-center gap-1.5 rounded-full border border-line px-2.5 text-xs text-ink-2 hover:border-line-strong aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-ink"
              >
                {choice.color && <Swatch color={choice.color} />}
                {choice.label}
              </button>
            ))}
          </fieldset>
        );
      })}
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
      <Menu
        trigger={
          <IconButton label="Columns">
            <Columns3 size={16} aria-hidden />
          </IconButton>
        }
        items={columns.map((column) => ({
          label: column.header,
          hint: visible.includes(column.id) ? 'shown' : '',
          run: () => setAddress({ [name('columns')]: toggled(visible, column.id) }),
        }))}
      />
      <Menu
        trigger={
          <IconButton label="Copy and export">
            <MoreHorizontal size={16} aria-hidden />
          </IconButton>
        }
        items={[
          { label: 'Copy as text', run: copyRows },
          { label: 'Export as CSV', run: () => download(`${file}.csv`, delimited(rows, shown, ','), 'text/csv') },
        ]}
      />
      {actions}
    </div>
  );
}
