import { scaleLinear } from 'd3-scale';
import { area, curveStepAfter, stack, stackOffsetExpand } from 'd3-shape';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { problemOf } from '~/api/problem';
import { divide } from '~/decimal/decimal';
import { ratio } from '~/decimal/geometry';
import { addDays, day, daysBetween } from '~/format/dates';
import { quantity, roughPercent } from '~/format/figures';
import { useCompany } from '~/shell/company';
import { Segments } from '~/ui/Segments';
import { useWidth } from '~/ui/useWidth';
import { useDay } from './day';
import { throttled } from './throttle';
import { type Division, pointAt, seriesColors, type Timeline, useTimeline } from './timeline';

const height = 64;
const pause = 120; // milliseconds between two moves of the app during a drag
const month = 30; // days of the Page keys

const divisions = [
  ['security', 'Class'],
  ['holder', 'Holder'],
] as const;

/** The ownership over the life of the company. Dragging or the arrow keys move all pages through time. */
export default function Scrubber() {
  const company = useCompany();
  const { knownAt } = useDay();
  const [by, setBy] = useState<Division>('security');
  const timeline = useTimeline(company.id, by, knownAt);
  if (timeline.isError)
    return <Remark>Ownership over time could not be loaded. {problemOf(timeline.error).message}</Remark>;
  if (!timeline.data) return <div className="skeleton mb-4 h-[115px]" />;
  if (daysBetween(timeline.data.from, timeline.data.to) < 1) return <Remark>The company has no past yet.</Remark>;
  return (
    <div className="mb-4 border-t border-line pt-3">
      <Track timeline={timeline.data} />
      <div className="flex items-center gap-3 pt-1.5">
        <span className="num text-xs text-ink-3">{day(timeline.data.from)}</span>
        <span className="mx-auto">
          <Segments label="Ownership by" value={by} choices={divisions} onChange={setBy} />
        </span>
        <span className="num text-xs text-ink-3">{day(timeline.data.to)}</span>
      </div>
    </div>
  );
}

const Remark = ({ children }: { children: ReactNode }) => (
  <p role="status" className="mb-4 border-t border-line pt-3 text-ink-3">
    {children}
  </p>
);

function Track({ timeline }: { timeline: Timeline }) {
  const { date, set } = useDay();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [dragged, setDragged] = useState<string>();
  const shown = dragged ?? date;
  const span = daysBetween(timeline.from, timeline.to);
  const x = scaleLinear([0, span], [0, Math.max(width, 1)]).clamp(true);
  const colors = seriesColors(timeline.series);
  const layers = useMemo(() => layersOf(timeline), [timeline]);
  const move = useRef(set);
  move.current = set;
  const { call, flush } = useMemo(
    () => throttled((to: string) => move.current({ asOf: to >= timeline.to ? undefined : to }), pause),
    [timeline.to],
  );
  const drag = (to: string) => {
    setDragged(to);
    call(to);
  };
  const release = () => {
    flush();
    setDragged(undefined);
  };
  const shape = area<Layer[number]>()
    .x((point) => x(point.data.at))
    .y0((point) => height - point[0] * height)
    .y1((point) => height - point[1] * height)
    .curve(curveStepAfter);
  const follow = (event: PointerEvent<HTMLElement>) => {
    const left = event.currentTarget.getBoundingClientRect().left;
    drag(addDays(timeline.from, Math.round(x.invert(event.clientX - left))));
  };
  const at = daysBetween(timeline.from, shown);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowDown: -1,
      ArrowUp: 1,
      PageDown: -month,
      PageUp: month,
      Home: -span,
      End: span,
    };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(span, at + (event.shiftKey ? by * 7 : by)));
    drag(addDays(timeline.from, next));
  };
  const point = pointAt(timeline, shown);
  const largest = timeline.series
    .map((series, index) => ({ name: series.name, value: point?.values[index] ?? '0' }))
    .filter((one) => point && one.value !== '0')
    .slice(0, 4)
    .map((one) => `${one.name} ${roughPercent(divide(one.value, point?.fullyDiluted ?? '0'))}`);
  return (
    <div
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label="Day"
      aria-valuemin={0}
      aria-valuemax={span}
      aria-valuenow={Math.max(0, Math.min(span, at))}
      aria-valuetext={`${day(shown)}: ${quantity(point?.fullyDiluted ?? '0')} fully diluted; ${largest.join(', ')}`}
      className="relative touch-none rounded-[5px]"
      style={{ height }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && follow(event)}
      onLostPointerCapture={release}
      onBlur={release}
    >
      <svg width={width} height={height} aria-hidden className="block overflow-hidden rounded-[5px]">
        {layers.map((layer, index) => (
          <path
            key={timeline.series[index]?.id}
            d={shape(layer) ?? ''}
            fill={colors.get(timeline.series[index]?.id ?? '')}
            opacity={0.75}
          />
        ))}
        {timeline.closings.map((closing) => (
          <line
            key={`${closing.date} ${closing.name}`}
            x1={x(daysBetween(timeline.from, closing.date))}
            x2={x(daysBetween(timeline.from, closing.date))}
            y1={0}
            y2={height}
            stroke="var(--surface)"
            strokeWidth={2}
          >
            <title>{`${closing.name}, ${day(closing.date)}`}</title>
          </line>
        ))}
      </svg>
      <span
        aria-hidden
        className="pointer-events-none absolute -top-1 bottom-[-4px] w-0.5 bg-ink"
        style={{ left: x(at) - 1 }}
      />
      <span
        aria-hidden
        className="num pop pointer-events-none absolute -top-2 -translate-y-full px-2 py-0.5 text-xs whitespace-nowrap"
        style={{ left: Math.max(0, Math.min(width - 90, x(at) - 44)), visibility: dragged ? 'visible' : 'hidden' }}
      >
        {day(shown)}
      </span>
    </div>
  );
}

type Row = { at: number; parts: number[] };
type Layer = ReturnType<ReturnType<typeof stack<Row, number>>>[number];

/** Returns the stacked fractions of the series over the days since the first one. */
function layersOf(timeline: Timeline): Layer[] {
  const rows: Row[] = timeline.points.map((point) => ({
    at: daysBetween(timeline.from, point.date),
    parts: point.values.map((value) => ratio(value, point.fullyDiluted)),
  }));
  return stack<Row, number>()
    .keys(timeline.series.map((_, index) => index))
    .value((row, key) => row.parts[key] ?? 0)
    .offset(stackOffsetExpand)(rows);
}
