import { Fragment, type ReactNode } from 'react';
import { Changed } from './Changed';
import { useNarrow } from './useNarrow';

/** The header identifies a column; `title` is shown in its place. `wide` columns, such as drawings, are left out of lists. */
export type TableColumn<Row> = {
  header: string;
  title?: ReactNode;
  cell: (row: Row) => ReactNode;
  figure?: boolean;
  wide?: boolean;
};

type Props<Row> = {
  label: string;
  rows: Row[];
  columns: TableColumn<Row>[];
  rowKey: (row: Row) => string;
  /** The sums below the rows, one for each column. */
  sums?: ReactNode[];
  /** The text in the place of a table without rows. */
  empty?: string;
};

/** A short table without search and order. Long lists are registers. On a narrow screen it is a list with the same values. */
export function Table<Row>(props: Props<Row>) {
  const narrow = useNarrow();
  if (props.empty && props.rows.length === 0) return <p className="text-ink-3">{props.empty}</p>;
  return narrow ? <NarrowTable {...props} /> : <WideTable {...props} />;
}

const marked = (content: ReactNode) => (typeof content === 'string' ? <Changed value={content} /> : content);

function WideTable<Row>({ label, rows, columns, rowKey, sums }: Props<Row>) {
  const align = (column: TableColumn<Row>) => (column.figure ? 'num text-right' : 'text-left');
  return (
    <div className="overflow-x-auto print:overflow-visible" tabIndex={0} role="group" aria-label={label}>
      <table className="w-full min-w-[560px] border-collapse print:min-w-0">
        <thead>
          <tr className="h-9 border-b border-line text-ink-3">
            {columns.map((column) => (
              <th key={column.header} scope="col" className={`pr-4 font-normal last:pr-0 ${align(column)}`}>
                {column.title ?? column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="h-9 border-b border-line">
              {columns.map((column, index) => (
                <td
                  key={column.header}
                  className={`pr-4 last:pr-0 ${align(column)} ${index === 0 ? 'font-medium' : ''}`}
                >
                  {marked(column.cell(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {sums && (
          <tfoot>
            <tr className="h-9 font-medium">
              {columns.map((column, index) => (
                <td key={column.header} className={`pr-4 last:pr-0 ${align(column)}`}>
                  {sums[index]}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

function NarrowTable<Row>({ label, rows, columns, rowKey, sums }: Props<Row>) {
  const [first, ...others] = columns;
  const entry = (key: string, title: ReactNode, values: ReactNode[]) => (
    <li key={key} className="border-b border-line py-2.5">
      <div className="font-medium">{title}</div>
      <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-xs">
        {others.map((column, index) => {
          const value = values[index];
          if (column.wide || value === undefined || value === '') return null;
          return (
            <div
              key={column.header}
              className="flex min-h-6 grow basis-[calc(50%-8px)] items-center justify-between gap-2"
            >
              <dt className="shrink-0 text-ink-3">{column.header}</dt>
              <dd className={`min-w-0 text-right ${column.figure ? 'num whitespace-nowrap' : 'break-words'}`}>
                {value}
              </dd>
            </div>
          );
        })}
      </dl>
    </li>
  );
  const titles = others.filter((column) => column.title !== undefined && !column.wide);
  return (
    <ul aria-label={label}>
      {titles.length > 0 && (
        <li className="flex flex-wrap gap-2 border-b border-line py-2.5">
          {titles.map((column) => (
            <Fragment key={column.header}>{column.title}</Fragment>
          ))}
        </li>
      )}
      {rows.map((row) =>
        entry(
          rowKey(row),
          first?.cell(row),
          others.map((column) => marked(column.cell(row))),
        ),
      )}
      {sums && entry('sums', sums[0], sums.slice(1))}
    </ul>
  );
}
