import { Fragment, memo } from 'react';
import { Cell, contentIn, NamedCell, type RowState } from './Cell';
import type { Column } from './column';
import { partsOf } from './narrow';

type Props<Row> = Omit<RowState, 'state'> & {
  index: number;
  /** The place in the grid, from 1. */
  place: number;
  top: number;
  height: number;
  row: Row;
  columns: Column<Row>[];
  narrow: boolean;
  selected: boolean;
};

/**
 * One row of a register: cells of a grid, or named values on a narrow screen. Its elements show other rows while the register scrolls,
 * so the body handles its events.
 */
function RowOf<Row>({ index, place, top, height, row, columns, narrow, selected, ...state }: Props<Row>) {
  return (
    <div
      role="row"
      aria-rowindex={place}
      aria-selected={selected}
      data-index={index}
      tabIndex={-1}
      className={`absolute inset-x-0 border-b border-line hover:bg-hover focus-visible:bg-accent-soft focus-visible:outline-offset-[-2px] aria-selected:bg-accent-soft ${narrow ? 'grid grid-cols-(--list) content-start gap-x-4 py-2.5' : 'grid grid-cols-(--tracks) items-center gap-4'}`}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <Choice selected={selected} />
      {narrow ? (
        <NarrowCells row={row} columns={columns} state={state} />
      ) : (
        columns.map((column, at) => <Cell key={column.id} column={column} row={row} state={state} first={at === 0} />)
      )}
    </div>
  );
}

/** The box that selects a row. */
const Choice = memo(({ selected }: { selected: boolean }) => (
  <div role="gridcell" className="flex h-6 items-center">
    <input
      type="checkbox"
      aria-label="Select"
      tabIndex={-1}
      data-select
      readOnly
      className="size-4 accent-(--accent)"
      checked={selected}
    />
  </div>
));

function NarrowCells<Row>({ row, columns, state }: { row: Row; columns: Column<Row>[]; state: RowState }) {
  const { title, value, others } = partsOf(columns);
  return (
    <>
      <div role="gridcell" className={`h-6 min-w-0 truncate font-medium ${value ? '' : 'col-span-2'}`}>
        {title.map((column) => (
          <Fragment key={column.id}>{contentIn({ column, row, state })}</Fragment>
        ))}
      </div>
      {value && <NamedCell column={value} row={row} state={state} />}
      {others.map((column, at) => (
        <Fragment key={column.id}>
          {at % 2 === 0 && <span aria-hidden className="col-start-1" />}
          <NamedCell column={column} row={row} state={state} alone={at % 2 === 0 && at === others.length - 1} />
        </Fragment>
      ))}
    </>
  );
}

export const Row = memo(RowOf) as typeof RowOf;
