import { type ChangeEvent, type MouseEvent, memo, type RefObject, useLayoutEffect, useRef } from 'react';
import { count } from '~/decimal/count';
import { counted } from '~/format/words';
import { keepOneStop } from '~/ui/roving';
import { WhyPopup } from '~/why/Why';
import type { Column } from './column';
import { narrowHeight, partsOf } from './narrow';
import { Row } from './Row';
import { useExplained } from './useExplained';
import { useFocusedRow } from './useFocusedRow';
import { controlIn, type MoveTo } from './useGridKeys';
import { useLines } from './useLines';
import { useMarks } from './useMarks';
import type { Scroller } from './useScroller';

type Props<Row> = {
  rows: Row[];
  columns: Column<Row>[];
  rowId: (row: Row) => string;
  loading: boolean;
  narrow: boolean;
  /** The lines of the grid above the rows. */
  above: number;
  selected: ReadonlySet<string>;
  noun: string;
  grid: RefObject<HTMLElement | null>;
  scroller: Scroller;
  moveTo: RefObject<MoveTo | undefined>;
  onToggle: (index: number, range: boolean) => void;
  onOpen?: (row: Row) => void;
  onClear: () => void;
};

const rowHeight = 36;
const skeletons = 12;

const indexOf = (target: EventTarget): number | undefined =>
  count((target instanceof Element && target.closest<HTMLElement>('[data-index]')?.dataset.index) || '');

const isChoice = (target: EventTarget): boolean => target instanceof HTMLElement && target.dataset.select !== undefined;

/** The rows of a register. Only the rows near the visible part exist in the document. */
function BodyOf<Row>(props: Props<Row>) {
  const { rows, rowId, loading, narrow, columns, selected } = props;
  const height = narrow ? narrowHeight(partsOf(columns).others.length) : rowHeight;
  const body = useRef<HTMLDivElement>(null);
  const idAt = (index: number | undefined) => {
    const row = index === undefined ? undefined : rows[index];
    return row && rowId(row);
  };
  const lineAt = (index: number) => body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  const focused = useFocusedRow(rows, rowId, lineAt);
  const { lines, show, settled } = useLines(loading ? 0 : rows.length, height, props.scroller, focused.index());
  const marks = useMarks(
    rows,
    columns,
    rowId,
    lines.map((line) => line.index),
  );
  const explained = useExplained((line) => idAt(indexOf(line)));
  // Scrolling adds no tab stop: elements of rows are created without one.
  useLayoutEffect(() => keepOneStop(props.grid.current, '[data-index]'), [rows, columns, loading, narrow, settled]);
  props.moveTo.current = (index, cell) => {
    const target = Math.max(0, Math.min(index, rows.length - 1));
    show(target);
    const line = lineAt(target);
    (controlIn(line, cell) ?? line)?.focus({ preventScroll: true });
  };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const index = indexOf(event.target);
    const row = index === undefined ? undefined : rows[index];
    // Popups of a cell are elsewhere in the document.
    if (!row || index === undefined || !event.currentTarget.contains(event.target as Node)) return;
    if (isChoice(event.target) || explained.click(event)) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey) props.onToggle(index, event.shiftKey);
    else props.onOpen?.(row);
  };
  const onChange = ({ target, nativeEvent }: ChangeEvent<HTMLElement>) => {
    const index = indexOf(target);
    if (index === undefined || !isChoice(target)) return;
    props.onToggle(index, nativeEvent instanceof PointerEvent && nativeEvent.shiftKey);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    <div
      ref={body}
      role="rowgroup"
      className="relative"
      style={{ height: height * (loading ? skeletons : Math.max(rows.length, 3)) }}
      onClick={onClick}
      onChange={onChange}
      onFocus={(event) => {
        focused.note(indexOf(event.target));
        explained.prepare(event.target);
      }}
      onBlur={() => focused.note(undefined)}
      onPointerOver={(event) => explained.prepare(event.target)}
    >
      {loading &&
        Array.from({ length: skeletons }, (_, index) => (
          <div key={index} role="row" className="flex items-center border-b border-line" style={{ height }}>
            <span role="gridcell" className="skeleton h-3 w-40" />
          </div>
        ))}
      {!loading && rows.length === 0 && (
        <div role="row" className="grid h-full place-items-center">
          <div role="gridcell" className="text-center">
            <p className="font-medium">No {counted(0, props.noun).slice(2)} match</p>
            <button type="button" className="text-accent hover:underline" onClick={props.onClear}>
              Clear search and filters
            </button>
          </div>
        </div>
      )}
      {lines.map(({ index, slot }) => {
        const row = rows[index];
        if (!row) return null;
        const id = rowId(row);
        return (
          <Row
            key={slot}
            id={id}
            index={index}
            place={index + 1 + props.above}
            top={index * height}
            height={height}
            row={row}
            columns={columns}
            narrow={narrow}
            selected={selected.has(id)}
            marked={marks.get(id)}
            explained={explained.open?.row === id ? explained.open.figure : undefined}
          />
        );
      })}
      {explained.open && (
        <WhyPopup
          figure={explained.open.figure}
          label={explained.open.label}
          anchor={explained.anchor}
          onClose={explained.close}
        />
      )}
    </div>
  );
}

export const Body = memo(BodyOf) as typeof BodyOf;
