import { elementScroll, useVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { counted } from '~/format/words';
import { keepOneStop } from '~/ui/roving';
import type { Column } from './column';
import { Line } from './Line';
import { narrowHeight, partsOf } from './narrow';
import { controlIn, type MoveTo } from './useGridKeys';

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
  moveTo: RefObject<MoveTo | undefined>;
  onToggle: (index: number, range: boolean) => void;
  onOpen?: (row: Row) => void;
  onClear: () => void;
};

const rowHeight = 36;
const skeletons = 12;
const beyond = 6; // rows above and below the visible part

/** The rows of a register. Only the rows near the visible part exist in the document. */
function BodyOf<Row>(props: Props<Row>) {
  const { rows, rowId, loading, narrow } = props;
  const height = narrow ? narrowHeight(partsOf(props.columns).others.length) : rowHeight;
  const body = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => document.getElementById('main'),
    initialRect: { width: innerWidth, height: innerHeight },
    // Unlike the functions of the library, these do not force the layout of a new page.
    scrollToFn: (offset, options, virtualizer) => {
      if (offset !== virtualizer.scrollOffset || options.adjustments) elementScroll(offset, options, virtualizer);
    },
    observeElementRect: ({ scrollElement }, change) => {
      const observer = new ResizeObserver(([entry]) => entry && change(entry.contentRect));
      if (scrollElement) observer.observe(scrollElement);
      return () => observer.disconnect();
    },
    estimateSize: () => height,
    overscan: beyond,
    scrollMargin: margin,
    scrollPaddingStart: 84,
    getItemKey: (index) => (rows[index] ? rowId(rows[index]) : index),
  });
  useLayoutEffect(() => {
    const scroller = document.getElementById('main');
    if (!scroller) return;
    const measure = () => {
      if (body.current)
        setMargin(body.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop);
    };
    const observer = new ResizeObserver(measure);
    if (scroller.firstElementChild) observer.observe(scroller.firstElementChild);
    return () => observer.disconnect();
  }, []);
  // A change of the height of all rows, such as by a choice of columns, is measured again.
  useLayoutEffect(() => virtual.measure(), [height]);
  useLayoutEffect(() => keepOneStop(props.grid.current, '[data-index]'));
  props.moveTo.current = (index, cell) => {
    const target = Math.max(0, Math.min(index, rows.length - 1));
    virtual.scrollToIndex(target, { align: 'auto' });
    requestAnimationFrame(() => {
      const line = body.current?.querySelector<HTMLElement>(`[data-index="${target}"]`);
      (controlIn(line, cell) ?? line)?.focus({ preventScroll: true });
    });
  };
  const lines = virtual.getVirtualItems();
  return (
    <div
      ref={body}
      role="rowgroup"
      className="relative"
      style={{ height: loading ? height * skeletons : Math.max(virtual.getTotalSize(), height * 3) }}
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
      {!loading &&
        lines.map((line) => {
          const row = rows[line.index];
          return (
            row && (
              <Line
                key={line.key}
                index={line.index}
                place={line.index + 1 + props.above}
                top={line.start - margin}
                height={height}
                row={row}
                columns={props.columns}
                narrow={narrow}
                selected={props.selected.has(rowId(row))}
                onOpen={props.onOpen}
                onToggle={props.onToggle}
              />
            )
          );
        })}
    </div>
  );
}

export const Body = memo(BodyOf) as typeof BodyOf;
