import { scaleLinear } from 'd3-scale';
import { area, curveStepAfter } from 'd3-shape';
import { useRef } from 'react';
import { add, type Decimal } from '~/decimal/decimal';
import { ratio } from '~/decimal/geometry';
import { day, daysBetween } from '~/format/dates';
import { quantity } from '~/format/figures';
import { useWidth } from '~/ui/useWidth';

export type Vesting = { date: string; quantity: Decimal };

const height = 150;
const edge = { top: 16, right: 4, bottom: 20, left: 4 };

/** The vesting of a grant over time: the past filled, the future faint, today as a line. The dates are in order. */
export function VestingChart({
  vestings,
  total,
  start,
  date,
}: {
  vestings: Vesting[];
  total: Decimal;
  start: string;
  date: string;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const last = vestings.at(-1)?.date ?? start;
  const end = last > date ? last : date;
  const x = scaleLinear(
    [0, Math.max(daysBetween(start, end), 1)],
    [edge.left, Math.max(width - edge.right, edge.left + 1)],
  ).clamp(true);
  const y = scaleLinear([0, 1], [height - edge.bottom, edge.top]);
  let sum: Decimal = '0';
  const steps = vestings.map((one) => {
    sum = add(sum, one.quantity);
    return { date: one.date, at: daysBetween(start, one.date), part: ratio(sum, total), sum };
  });
  const today = daysBetween(start, date);
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
  const first = steps[0];
  return (
    <div ref={frame}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`Vesting from ${day(start)} to ${day(last)}: ${quantity(vested.at(-1)?.sum ?? '0')} of ${quantity(total)} vested on ${day(date)}`}
      >
        <path d={shape(future) ?? ''} fill="var(--c-options)" opacity={0.25} />
        <path d={shape(past) ?? ''} fill="var(--c-options)" opacity={0.85} />
        <line x1={edge.left} x2={width - edge.right} y1={y(0)} y2={y(0)} stroke="var(--line-strong)" />
        <line x1={x(today)} x2={x(today)} y1={edge.top - 6} y2={y(0)} stroke="var(--ink)" />
        <text x={Math.min(x(today) + 4, width - 60)} y={edge.top - 4} fontSize={11} fill="var(--ink-2)">
          {day(date)}
        </text>
        {first && first.at > 31 && steps.length > 1 && (
          <line
            x1={x(first.at)}
            x2={x(first.at)}
            y1={y(first.part)}
            y2={y(0)}
            stroke="var(--surface)"
            strokeDasharray="2 2"
          >
            <title>{`Cliff, ${day(first.date)}`}</title>
          </line>
        )}
        <text x={edge.left} y={height - 5} fontSize={11} fill="var(--ink-3)">
          {day(start)}
        </text>
        <text x={width - edge.right} y={height - 5} textAnchor="end" fontSize={11} fill="var(--ink-3)">
          {day(end)}
        </text>
      </svg>
    </div>
  );
}
