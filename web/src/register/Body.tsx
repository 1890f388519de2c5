import { elementScroll, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useLayoutEffect, useRef, useState } from 'react';
import { counted } from '~/format/words';
import type { Column } from './column';
import { Line } from './Line';

type Props<Row> = {
  rows: Row[];
  columns: Column<Row>[];
  rowId: (row: Row) => string;
  loading: boolean;
  narrow: boolean;
  selected: ReadonlySet<string>;
  selectable: boolean;
  noun: string;
  onToggle: (id: string) => void;
  onClearSelection: () => void;
  onOpen?: (row: Row) => void;
  onClear: () => void;
};

const rowHeight = 36;
const narrowHeight = 60;
const skeletons = 12;
const page = 15; // rows of the Page keys

/** The rows of a register. Only the rows near the visible part exist in the document. */
function BodyOf<Row>(props: Props<Row>) {
  const { rows, rowId, loading, narrow } = props;
  const height = narrow ? narrowHeight : rowHeight;
  const body = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [active, setActive] = useState(0);
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
    overscan: 10,
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
  const focus = (index: number) => {
    const target = Math.max(0, Math.min(index, rows.length - 1));
    setActive(target);
    virtual.scrollToIndex(target, { align: 'auto' });
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus({ preventScroll: true }),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const line = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    if (event.target !== line || event.metaKey || event.ctrlKey || event.altKey) return;
    const row = rows[active];
    const keys: Record<string, () => void> = {
      ArrowDown: () => focus(active + 1),
      ArrowUp: () => focus(active - 1),
      PageDown: () => focus(active + page),
      PageUp: () => focus(active - page),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      Enter: () => row && props.onOpen?.(row),
      ' ': () => row && props.selectable && props.onToggle(rowId(row)),
      Escape: props.onClearSelection,
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  const lines = virtual.getVirtualItems();
  const stop = lines.some((line) => line.index === active) ? active : (lines[0]?.index ?? 0);
  return (
    <div
      ref={body}
      role="rowgroup"
      className="relative"
      onKeyDown={onKeyDown}
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
                top={line.start - margin}
                height={height}
                row={row}
                columns={props.columns}
                narrow={narrow}
                tabStop={line.index === stop}
                selected={props.selectable ? props.selected.has(rowId(row)) : undefined}
                onFocus={setActive}
                onOpen={props.onOpen}
                onToggle={() => props.onToggle(rowId(row))}
              />
            )
          );
        })}
    </div>
  );
}

export const Body = memo(BodyOf) as typeof BodyOf;
