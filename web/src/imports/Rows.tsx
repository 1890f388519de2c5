import { useMemo } from 'react';
import type { Column, Filter } from '~/register/column';
import { Register } from '~/register/Register';
import { Empty } from '~/ui/Notice';
import { State, stateName } from '~/ui/State';
import type { ImportOutcome } from './send';

type Row = NonNullable<ImportOutcome['rows']>[number];

const mostCells = 5; // cells of the file beside the findings

/** A dry run creates nothing, so its results are what the rows would do. */
const results = { created: 'create', updated: 'update', refused: 'refused' } as const;

const filters: Filter<Row>[] = [
  {
    id: 'result',
    label: 'Result',
    choices: (['created', 'updated', 'refused'] as const).map((value) => ({ value, label: stateName(results[value]) })),
    value: (row) => row.status,
  },
];

const faultOf = (row: Row, column: string) => row.errors?.find((error) => error.column === column);

/** Returns the columns that have a fault in some row, and the first others. */
function cellsOf(rows: Row[]): string[] {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row.fields ?? {})))];
  const faulty = new Set(rows.flatMap((row) => row.errors?.map((error) => error.column) ?? []));
  const shown = header.filter((name, at) => at === 0 || faulty.has(name));
  const others = header.filter((name) => !shown.includes(name));
  const chosen = new Set([...shown, ...others].slice(0, mostCells));
  return header.filter((name) => chosen.has(name));
}

/** Returns the place of a row: its line, with the sheet of a workbook. */
const placeOf = (row: Row) => (row.sheet ? `${row.sheet}!${row.line}` : row.line.toString());

function columnsOf(rows: Row[]): Column<Row>[] {
  const cells = cellsOf(rows);
  return [
    { id: 'line', header: 'Row', value: placeOf, width: '96px', narrow: 'value' },
    {
      id: 'result',
      header: 'Result',
      value: (row) => stateName(results[row.status]),
      width: '96px',
      cell: (row) => <State of={results[row.status]} />,
    },
    ...cells.map((name, at): Column<Row> => {
      const value = (row: Row) => row.fields?.[name] ?? '';
      return {
        id: `cell.${name}`,
        header: name,
        value,
        narrow: at === 0 ? 'title' : undefined,
        spare: cells.length - at,
        cell: (row) => (
          <span
            className={faultOf(row, name) ? 'rounded-[3px] bg-neg-soft px-1 font-medium text-neg' : ''}
            title={faultOf(row, name)?.message}
          >
            {value(row) || '–'}
          </span>
        ),
      };
    }),
    {
      id: 'findings',
      header: 'Findings',
      width: 'minmax(320px, 5fr)',
      value: (row) =>
        row.errors?.map((error) => `${error.column ? `${error.column}: ` : ''}${error.message}`).join(' '),
      cell: (row) => (
        <span title={row.errors?.map((error) => error.message).join(' ')}>
          {row.errors?.map((error) => (
            <span key={`${error.column} ${error.code}`} className="mr-2">
              {error.column && <span className="font-medium text-neg">{error.column}: </span>}
              {error.message}
            </span>
          ))}
        </span>
      ),
      narrow: 'detail',
    },
  ];
}

/** The rows of a spreadsheet as they were read, with their results. Faulty cells are marked, with their findings beside them. */
export function Rows({ rows }: { rows: Row[] }) {
  const columns = useMemo(() => columnsOf(rows), [rows]);
  const numbers = useMemo(() => new Map(rows.map((row, at) => [row, at.toString()])), [rows]);
  return (
    <Register
      label="Rows"
      noun="row"
      name="rows"
      rows={rows}
      columns={columns}
      rowId={(row) => numbers.get(row) ?? ''}
      filters={filters}
      empty={<Empty title="The file has no rows" />}
    />
  );
}
