import { arc, pie } from 'd3-shape';
import { useState } from 'react';
import { type Decimal, divide, isZero, sum } from '~/decimal/decimal';
import { ratio } from '~/decimal/geometry';
import { cell, roughPercent, share, short } from '~/format/figures';
import { Changed } from '~/ui/Changed';
import { useRoving } from '~/ui/roving';
import { Why } from '~/why/Why';

/** Slice is a part of a whole, with the paths of the explanations of its value and its percentage if it has them. */
export type Slice = {
  id: string;
  name: string;
  color: string;
  value: Decimal;
  figure?: string;
  percentFigure?: string;
};

const radius = 84;
const shape = arc<{ startAngle: number; endAngle: number }>()
  .innerRadius(58)
  .outerRadius(radius)
  .cornerRadius(2.5)
  .padAngle(0.018);

const room = 18; // letters within the ring

const shortened = (name: string) => (name.length > room ? `${name.slice(0, room - 1).trimEnd()}…` : name);

type Props = { label: string; slices: Slice[]; selected: string[]; onToggle: (id: string) => void };

/** A ring with its legend as a table. Hovering links both; clicking a row filters. */
export function Donut({ label, slices, selected, onToggle }: Props) {
  const [hovered, setHovered] = useState<string>();
  const roving = useRoving<HTMLTableElement>();
  const total = sum(slices.map((slice) => slice.value));
  const drawn = slices.filter((slice) => !isZero(slice.value));
  const arcs = pie<Slice>()
    .value((slice) => ratio(slice.value, total))
    .sort(null)(drawn);
  const focus = slices.find((slice) => slice.id === hovered);
  const dimmed = (id: string) => (hovered ? hovered !== id : selected.length > 0 && !selected.includes(id));
  return (
    <div className="flex items-center gap-4 max-[560px]:flex-col">
      <svg
        data-chart
        viewBox="-86 -86 172 172"
        width={172}
        height={172}
        role="img"
        aria-label={`${label}. The table has the figures.`}
        className="shrink-0"
      >
        {arcs.map((part) => (
          <path
            key={part.data.id}
            d={shape(part) ?? ''}
            fill={part.data.color}
            opacity={dimmed(part.data.id) ? 0.28 : 1}
            onPointerEnter={() => setHovered(part.data.id)}
            onPointerLeave={() => setHovered(undefined)}
          />
        ))}
        <text textAnchor="middle" y={-2} className="num fill-ink text-lg font-semibold tracking-tight">
          {focus ? roughPercent(divide(focus.value, total)) : short(total)}
        </text>
        <text textAnchor="middle" y={16} className="fill-ink-3 text-xs">
          {focus ? shortened(focus.name) : 'shares'}
        </text>
      </svg>
      <table {...roving} className="w-full min-w-0">
        <caption className="sr-only">{label}</caption>
        <thead className="text-left text-xs text-ink-3">
          <tr>
            <th className="pb-1.5 font-normal">Class</th>
            <th className="pb-1.5 pl-3 text-right font-normal">Shares</th>
            <th className="pb-1.5 pl-3 text-right font-normal">%</th>
          </tr>
        </thead>
        <tbody>
          {slices.map((slice) => (
            <tr
              key={slice.id}
              onPointerEnter={() => setHovered(slice.id)}
              onPointerLeave={() => setHovered(undefined)}
              className={`border-t border-line ${dimmed(slice.id) ? 'text-ink-3' : ''}`}
            >
              <td className="w-full max-w-0">
                <button
                  type="button"
                  aria-pressed={selected.includes(slice.id)}
                  onClick={() => onToggle(slice.id)}
                  onFocus={() => setHovered(slice.id)}
                  onBlur={() => setHovered(undefined)}
                  className="flex h-[29px] w-full items-center gap-2 text-left"
                >
                  <span className="size-2 shrink-0 rounded-[2px]" style={{ background: slice.color }} />
                  <span className="truncate" title={slice.name}>
                    {slice.name}
                  </span>
                </button>
              </td>
              <td className="num pl-3 text-right whitespace-nowrap">
                <Explained figure={slice.figure} label={slice.name}>
                  {cell(slice.value)}
                </Explained>
              </td>
              <td className="num pl-3 text-right whitespace-nowrap text-ink-2">
                <Explained figure={slice.percentFigure} label={`${slice.name}, %`}>
                  {share(slice.value, total)}
                </Explained>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Explained = ({ figure, label, children }: { figure: string | undefined; label: string; children: string }) =>
  figure ? (
    <Why figure={figure} label={label}>
      {children}
    </Why>
  ) : (
    <Changed value={children} />
  );
