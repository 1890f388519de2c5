import { quantity } from '~/format/figures';
import { counted } from '~/format/words';
import { contentOf, printed } from './Cell';
import type { Column } from './column';

/** The largest number of printed rows. */
export const mostPrinted = 2_000;

type Props<Row> = {
  label: string;
  noun: string;
  /** The displayed rows in their order. */
  rows: Row[];
  columns: Column<Row>[];
  rowId: (row: Row) => string;
  /** Whether all rows are loaded. */
  complete: boolean;
};

/** All rows of a register on paper, up to a limit, as a table whose header is repeated on each page. */
export function PrintedRows<Row>({ label, noun, rows, columns, rowId, complete }: Props<Row>) {
  const align = ({ kind }: Column<Row>) =>
    kind === 'decimal'
      ? 'num text-right whitespace-nowrap'
      : kind === 'date'
        ? 'num text-left whitespace-nowrap'
        : 'text-left';
  const summed = columns.some((column) => column.sum);
  const rest =
    rows.length > mostPrinted &&
    `These are the first ${quantity(mostPrinted.toString())} of ${counted(rows.length, noun)}. The workbook has all of them.`;
  const remark = complete ? rest : `Not all rows were loaded when this was printed.`;
  return (
    <>
      {remark && <p className="mb-2 hidden font-medium print:block">{remark}</p>}
      <table aria-label={label} className="hidden w-full border-collapse text-[11px] leading-4 print:table">
        <thead>
          <tr className="border-b border-line-strong text-ink-3">
            {columns.map((column) => (
              <th key={column.id} scope="col" className={`py-1 pr-3 font-normal last:pr-0 ${align(column)}`}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {summed && (
            <tr className="border-b border-line font-medium">
              {columns.map((column, index) => (
                <td key={column.id} className={`py-1 pr-3 last:pr-0 ${align(column)}`}>
                  {column.sum ? printed(column.sum(rows)) : index === 0 ? 'Total' : ''}
                </td>
              ))}
            </tr>
          )}
          {rows.slice(0, mostPrinted).map((row) => (
            <tr key={rowId(row)} className="border-b border-line align-top">
              {columns.map((column) => (
                <td key={column.id} className={`py-1 pr-3 last:pr-0 ${align(column)}`}>
                  {printed(contentOf(column, row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest && <p className="mt-2 hidden font-medium print:block">{rest}</p>}
    </>
  );
}
