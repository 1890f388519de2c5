import { scaleLinear } from 'd3-scale';
import { area, stack } from 'd3-shape';
import { useRef, useState } from 'react';
import type { Schema } from '~/api/client';
import { position } from '~/decimal/geometry';
import { amount, cents, shortMoney } from '~/format/figures';
import { useWidth } from '~/ui/useWidth';
import { type ClaimGroup, paidTo } from './claims';
import { breakPoints } from './terms';

type Props = {
  outcome: Schema<'ExitOutcome'>;
  groups: ClaimGroup[];
  of: ClaimGroup[];
  highlighted: string | undefined;
};

const height = 280;
const edge = { top: 20, right: 8, bottom: 24, left: 56 };

/** The payments by class over the sale price, with the prices at which claims begin to convert. */
export function PayoutChart({ outcome, groups, of, highlighted }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [pointed, setPointed] = useState<number>();
  const rows = outcome.values.map((value) => ({
    at: position(value.value),
    paid: paidTo(groups, of, value).map(position),
  }));
  const last = rows.at(-1);
  const x = scaleLinear([0, last?.at ?? 1], [edge.left, Math.max(width - edge.right, edge.left + 1)]);
  const y = scaleLinear(
    [0, last?.paid.reduce((total, paid) => total + paid, 0) ?? 1],
    [height - edge.bottom, edge.top],
  ).nice(4);
  const layers = stack<(typeof rows)[number], number>()
    .keys(groups.map((_, index) => index))
    .value((row, key) => row.paid[key] ?? 0)([{ at: 0, paid: groups.map(() => 0) }, ...rows]);
  const shape = area<(typeof layers)[number][number]>()
    .x((point) => x(point.data.at))
    .y0((point) => y(point[0]))
    .y1((point) => y(point[1]));
  const chosen = pointed === undefined ? undefined : outcome.values[pointed];
  const label = (at: number) => shortMoney(Math.round(at).toString(), outcome.currency);
  return (
    <div ref={frame} className="relative">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`Payments by class for sale prices up to ${label(last?.at ?? 0)}. The table below has the figures.`}
        onPointerMove={(event) => {
          const at = x.invert(event.nativeEvent.offsetX);
          setPointed(Math.max(0, Math.min(rows.length - 1, Math.round((at / (last?.at ?? 1)) * rows.length) - 1)));
        }}
        onPointerLeave={() => setPointed(undefined)}
      >
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line x1={edge.left} x2={width - edge.right} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
            <text x={edge.left - 8} y={y(tick) + 4} textAnchor="end" fontSize={11} fill="var(--ink-3)">
              {label(tick)}
            </text>
          </g>
        ))}
        {x.ticks(5).map((tick) => (
          <text key={tick} x={x(tick)} y={height - 6} textAnchor="middle" fontSize={11} fill="var(--ink-3)">
            {label(tick)}
          </text>
        ))}
        {layers.map((layer, index) => (
          <path
            key={groups[index]?.id}
            d={shape(layer) ?? ''}
            fill={groups[index]?.color}
            opacity={highlighted === undefined || highlighted === groups[index]?.id ? 0.85 : 0.25}
          />
        ))}
        {breakPoints(outcome).map((point) => (
          <line
            key={point.value}
            x1={x(position(point.value))}
            x2={x(position(point.value))}
            y1={edge.top - 8}
            y2={height - edge.bottom}
            stroke="var(--ink)"
            strokeDasharray="2 3"
          >
            <title>{`${point.names.join(', ')}: conversion is worth more from ${amount(point.value, outcome.currency)}`}</title>
          </line>
        ))}
        {chosen && (
          <line
            x1={x(position(chosen.value))}
            x2={x(position(chosen.value))}
            y1={edge.top}
            y2={height - edge.bottom}
            stroke="var(--accent)"
          />
        )}
      </svg>
      {chosen && (
        <div className="pop pointer-events-none absolute top-0 right-0 px-3 py-2 text-xs">
          <p className="num font-medium">{amount(chosen.value, outcome.currency)}</p>
          {groups.map((group, index) => (
            <p key={group.id} className="num flex items-center gap-2">
              <span className="size-2 rounded-[2px]" style={{ background: group.color }} />
              {group.name}
              <span className="ml-auto pl-4">{cents(paidTo(groups, of, chosen)[index] ?? '0', outcome.currency)}</span>
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
