import { scaleLinear } from 'd3-scale';
import { area, stack } from 'd3-shape';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Schema } from '~/api/client';
import { position } from '~/decimal/geometry';
import { cents, shortMoney } from '~/format/figures';
import { useWidth } from '~/ui/useWidth';
import type { Division } from './claims';
import { breakPoints } from './terms';

type Props = {
  outcome: Schema<'ExitOutcome'>;
  division: Division;
  highlighted: string | undefined;
  /** The place of the selected price among the prices. */
  place: number;
  onPlace: (place: number) => void;
};

const height = 280;
const edge = { top: 20, right: 8, bottom: 24, left: 60 };

const few = 5; // prices of the Page keys

/**
 * The payments over the sale price, with the prices at which claims begin to convert. It is a slider: a click or the arrow keys select
 * a price.
 */
export function PayoutChart({ outcome, division, highlighted, place, onPlace }: Props) {
  const { layers: groups, paid } = division;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [pointed, setPointed] = useState<number>();
  const rows = outcome.values.map((value) => ({
    at: position(value.value),
    paid: paid(value).map(position),
  }));
  const last = rows.at(-1);
  const x = scaleLinear([0, last?.at ?? 1], [edge.left, Math.max(width - edge.right, edge.left + 1)]);
  const y = scaleLinear(
    [0, last?.paid.reduce((total, one) => total + one, 0) || 1],
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
  const pointedAmounts = chosen ? paid(chosen) : [];
  const label = (at: number) => shortMoney(Math.round(at).toString(), outcome.currency);
  const selected = outcome.values[place];
  const placeAt = (offset: number) =>
    Math.max(0, Math.min(rows.length - 1, Math.round((x.invert(offset) / (last?.at ?? 1)) * rows.length) - 1));
  const onKeyDown = (event: KeyboardEvent) => {
    const end = rows.length - 1;
    const places: Record<string, number> = {
      ArrowLeft: place - 1,
      ArrowDown: place - 1,
      ArrowRight: place + 1,
      ArrowUp: place + 1,
      PageDown: place - few,
      PageUp: place + few,
      Home: 0,
      End: end,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onPlace(Math.max(0, Math.min(end, next)));
  };
  const amounts = selected ? paid(selected) : [];
  const dims = groups.some((group) => group.id === highlighted);
  const inWords = groups.map((group, index) => `${group.name} ${cents(amounts[index] ?? '0', outcome.currency)}`);
  return (
    <div
      ref={frame}
      className="relative mb-2 rounded-[5px]"
      role="slider"
      tabIndex={0}
      aria-label="Sale price"
      aria-valuemin={0}
      aria-valuemax={rows.length - 1}
      aria-valuenow={place}
      aria-valuetext={selected && `${cents(selected.value, outcome.currency)}: ${inWords.join(', ')}`}
      onKeyDown={onKeyDown}
    >
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="print:h-auto print:max-w-full"
        aria-hidden
        onPointerMove={(event) => setPointed(placeAt(event.nativeEvent.offsetX))}
        onPointerLeave={() => setPointed(undefined)}
        onClick={(event) => onPlace(placeAt(event.nativeEvent.offsetX))}
      >
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line x1={edge.left} x2={width - edge.right} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
            <text x={edge.left - 8} y={y(tick) + 4} textAnchor="end" fontSize={12} fill="var(--ink-3)">
              {label(tick)}
            </text>
          </g>
        ))}
        {x.ticks(5).map((tick) => (
          <text key={tick} x={x(tick)} y={height - 6} textAnchor="middle" fontSize={12} fill="var(--ink-3)">
            {label(tick)}
          </text>
        ))}
        {layers.map((layer, index) => (
          <path
            key={groups[index]?.id}
            d={shape(layer) ?? ''}
            fill={groups[index]?.color}
            stroke="var(--surface)"
            strokeWidth={0.5}
            opacity={!dims || highlighted === groups[index]?.id ? 0.85 : 0.25}
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
            <title>{`${point.names.join(', ')}: conversion is worth more from ${cents(point.value, outcome.currency)}`}</title>
          </line>
        ))}
        {selected && (
          <line
            x1={x(position(selected.value))}
            x2={x(position(selected.value))}
            y1={edge.top}
            y2={height - edge.bottom}
            stroke="var(--ink)"
            strokeWidth={2}
          />
        )}
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
          <p className="num font-medium">{cents(chosen.value, outcome.currency)}</p>
          {groups.map((group, index) => (
            <p key={group.id} className="num flex items-center gap-2">
              <span className="size-2 rounded-[2px]" style={{ background: group.color }} />
              {group.name}
              <span className="ml-auto pl-4">{cents(pointedAmounts[index] ?? '0', outcome.currency)}</span>
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
