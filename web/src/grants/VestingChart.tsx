import { scaleLinear } from 'd3-scale';
import { area, curveStepAfter } from 'd3-shape';
import { useRef, useState } from 'react';
import { add, type Decimal } from '~/decimal/decimal';
import { ratio } from '~/decimal/geometry';
import { day, daysBetween } from '~/format/dates';
import { quantity } from '~/format/figures';
import { useWidth } from '~/ui/useWidth';
import type { Step } from './curve';

const height = 170;
const edge = { top: 24, right: 4, bottom: 20, left: 4 };
const labelWidth = 76;
const cliffWidth = 114;

type Props = { vestings: Step[]; total: Decimal; start: string; date: string };

/** The first days of the years between two dates. */
function years(from: string, to: string): string[] {
  const found: string[] = [];
  for (let year = BigInt(from.slice(0, 4)) + 1n; `${year}-01-01` <= to; year++) found.push(`${year}-01-01`);
  return found;
}

/** The vesting of a grant over time: the past filled, the future faint, the day and the cliff as lines. Dates are in order. */
export function VestingChart({ vestings, total, start, date }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [pointed, setPointed] = useState<number>();
  const last = vestings.at(-1)?.date ?? start;
  const end = last > date ? last : date;
  const right = Math.max(width - edge.right, edge.left + 1);
  const x = scaleLinear([0, Math.max(daysBetween(start, end), 1)], [edge.left, right]).clamp(true);
  const y = scaleLinear([0, 1], [height - edge.bottom, edge.top]);
  let sum: Decimal = '0';
  const steps = vestings.map((one) => {
    sum = add(sum, one.quantity);
    return { date: one.date, at: daysBetween(start, one.date), part: ratio(sum, total), sum };
  });
  const today = Math.max(daysBetween(start, date), 0);
  const vested = steps.filter((one) => one.date <= date);
  const level = vested.at(-1)?.part ?? 0;
  const past = [{ at: 0, part: 0 }, ...vested, { at: today, part: level }];
  const future = [
    { at: today, part: level },
    ...steps.filter((one) => one.date > date),
    { at: daysBetween(start, end), part: steps.at(-1)?.part ?? 0 },
  ];
  const shape = area<{ at: number; part: number }>()
    .x((one) => x(one.at))
    .y0(y(0))
    .y1((one) => y(one.part))
    .curve(curveStepAfter);
  const [first] = steps;
  const cliff = first && steps.length > 1 && first.at > 31 && first.part > (steps[1]?.part ?? 1) - first.part;
  // The label of the cliff stands where the line of the day does not cross it.
  const crossed = first && today >= first.at && x(today) - x(first.at) < cliffWidth;
  const aside = crossed && x(first.at) > cliffWidth;
  const shown = pointed === undefined ? vested.at(-1) : steps.filter((one) => one.at <= pointed).at(-1);
  const lineAt = (at: number) => ({ x1: x(at), x2: x(at), y1: edge.top - 4, y2: y(0) });
  return (
    <div ref={frame}>
      <p aria-hidden className="num flex justify-between text-xs text-ink-2">
        <span>{pointed === undefined ? `Vested on ${day(date)}` : day(shown?.date ?? start)}</span>
        <span>
          {quantity(shown?.sum ?? '0')} of {quantity(total)}
        </span>
      </p>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="print:h-auto print:max-w-full"
        role="img"
        aria-label={`Vesting from ${day(start)} to ${day(last)}: ${quantity(vested.at(-1)?.sum ?? '0')} of ${quantity(total)} vested on ${day(date)}`}
        onPointerMove={(event) =>
          setPointed(x.invert(event.clientX - event.currentTarget.getBoundingClientRect().left))
        }
        onPointerLeave={() => setPointed(undefined)}
      >
        {years(start, end).map((year) => (
          <line key={year} {...lineAt(daysBetween(start, year))} stroke="var(--line)" />
        ))}
        <line x1={edge.left} x2={right} y1={y(1)} y2={y(1)} stroke="var(--line)" strokeDasharray="2 3" />
        <path d={shape(future) ?? ''} fill="var(--c-options)" opacity={0.28} />
        <path d={shape(past) ?? ''} fill="var(--c-options)" opacity={0.9} />
        <line x1={edge.left} x2={right} y1={y(0)} y2={y(0)} stroke="var(--line-strong)" />
        {cliff && first && (
          <>
            <line {...lineAt(first.at)} y2={y(first.part)} stroke="var(--ink-3)" strokeDasharray="2 2" />
            <text
              display={crossed && !aside ? 'none' : undefined}
              x={x(first.at) + (aside ? -4 : 4)}
              y={edge.top + 8}
              textAnchor={aside ? 'end' : 'start'}
              fontSize={12}
              fill="var(--ink-3)"
            >
              Cliff, {day(first.date)}
            </text>
          </>
        )}
        <line {...lineAt(today)} stroke="var(--ink)" />
        <text
          x={x(today)}
          y={edge.top - 10}
          textAnchor={x(today) > right - labelWidth ? 'end' : x(today) < labelWidth ? 'start' : 'middle'}
          fontSize={12}
          fill="var(--ink)"
        >
          {day(date)}
        </text>
        {pointed !== undefined && <line {...lineAt(pointed)} stroke="var(--accent)" />}
        <text x={edge.left} y={height - 5} fontSize={12} fill="var(--ink-3)">
          {day(start)}
        </text>
        <text x={right} y={height - 5} textAnchor="end" fontSize={12} fill="var(--ink-3)">
          {day(end)}
        </text>
      </svg>
    </div>
  );
}
