import type { ReactNode } from 'react';

/** The header identifies a column; `title` is shown in its place. */
export type TableColumn<Row> = { header: string; title?: ReactNode; cell: (row: Row) => ReactNode; figure?: boolean };

type Props<Row> = {
  label: string;
  rows: Row[];
  columns: TableColumn<Row>[];
  rowKey: (row: Row) => string;
  /** The sums below the rows, one for each column. */
  sums?: ReactNode[];
};

/** A short table without search and order. Long lists are registers. */
export function Table<Row>({ label, rows, columns, rowKey, sums }: Props<Row>) {
  const align = (column: TableColumn<Row>) => (column.figure ? 'num text-right' : 'text-left');
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <table className="w-full min-w-[560px] border-collapse">
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
                  {column.cell(row)}
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
