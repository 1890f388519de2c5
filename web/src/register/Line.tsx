import { Fragment, type MouseEvent, memo } from 'react';
import { Cell, contentOf, NamedCell } from './Cell';
import type { Column } from './column';
import { partsOf } from './narrow';

type Props<Row> = {
  index: number;
  /** The place in the grid, from 1. */
  place: number;
  top: number;
  height: number;
  row: Row;
  columns: Column<Row>[];
  narrow: boolean;
  selected: boolean;
  onOpen?: (row: Row) => void;
  onToggle: (index: number, range: boolean) => void;
};

/** One row of a register: cells of a grid, or named values on a narrow screen. */
function LineOf<Row>({ index, place, top, height, row, columns, narrow, selected, onOpen, onToggle }: Props<Row>) {
  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.target as Node)) return; // a popup of a cell
    if (event.metaKey || event.ctrlKey || event.shiftKey) onToggle(index, event.shiftKey);
    else onOpen?.(row);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    <div
      role="row"
      aria-rowindex={place}
      aria-selected={selected}
      data-index={index}
      tabIndex={-1}
      onClick={onClick}
      className={`absolute inset-x-0 border-b border-line hover:bg-hover focus-visible:bg-accent-soft focus-visible:outline-offset-[-2px] aria-selected:bg-accent-soft ${narrow ? 'grid grid-cols-(--list) content-start gap-x-4 py-2.5' : 'grid grid-cols-(--tracks) items-center gap-4'}`}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <div role="gridcell" className="flex h-6 items-center">
        <input
          type="checkbox"
          aria-label="Select"
          tabIndex={-1}
          className="size-4 accent-(--accent)"
          checked={selected}
          onClick={(event) => event.stopPropagation()}
          onChange={(event) => onToggle(index, event.nativeEvent instanceof PointerEvent && event.nativeEvent.shiftKey)}
        />
      </div>
      {narrow ? (
        <NarrowCells row={row} columns={columns} />
      ) : (
        columns.map((column, at) => <Cell key={column.id} column={column} row={row} first={at === 0} />)
      )}
    </div>
  );
}

function NarrowCells<Row>({ row, columns }: { row: Row; columns: Column<Row>[] }) {
  const { title, value, others } = partsOf(columns);
  return (
    <>
      <div role="gridcell" className={`h-6 min-w-0 truncate font-medium ${value ? '' : 'col-span-2'}`}>
        {title.map((column) => (
          <Fragment key={column.id}>{contentOf(column, row)}</Fragment>
        ))}
      </div>
      {value && <NamedCell column={value} row={row} />}
      {others.map((column, at) => (
        <Fragment key={column.id}>
          {at % 2 === 0 && <span aria-hidden className="col-start-1" />}
          <NamedCell column={column} row={row} />
        </Fragment>
      ))}
    </>
  );
}

export const Line = memo(LineOf) as typeof LineOf;
