import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { type CSSProperties, useMemo } from 'react';
import { type Decimal, divide } from '~/decimal/decimal';
import { ratio } from '~/decimal/geometry';
import { quantity, roughPercent } from '~/format/figures';
import { useRoving } from '~/ui/roving';
import { useWidth } from '~/ui/useWidth';

/** Tile is the position of one holder in one class, or the rest of a class. */
export type Tile = { id: string; name: string; group: string; color: string; value: Decimal; rest?: boolean };

type Node = { tile?: Tile; children?: Node[] };
type Props = { label: string; tiles: Tile[]; total: Decimal; height: number; onPick: (tile: Tile) => void };

/** The largest positions as areas, grouped by class. It is one tab stop; arrows move between tiles. */
export default function Treemap({ label, tiles, total, height, onPick }: Props) {
  const roving = useRoving<HTMLDivElement>();
  const width = useWidth(roving.ref);
  const leaves = useMemo(() => {
    if (width === 0) return [];
    const groups = [...new Set(tiles.map((tile) => tile.group))];
    const root = hierarchy<Node>({
      children: groups.map((group) => ({
        children: tiles.filter((tile) => tile.group === group).map((tile) => ({ tile })),
      })),
    })
      .sum((node) => (node.tile ? ratio(node.tile.value, total) : 0))
      .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
    return treemap<Node>()
      .tile(treemapSquarify.ratio(1.3))
      .size([width, height])
      .paddingInner(2)
      .round(true)(root)
      .leaves();
  }, [tiles, total, width, height]);
  return (
    <div
      ref={roving.ref}
      data-chart
      className="relative overflow-hidden rounded-md"
      style={{ height }}
      role="group"
      aria-label={label}
      onFocus={roving.onFocus}
      onKeyDown={roving.onKeyDown}
    >
      {leaves.map(({ data: { tile }, x0, x1, y0, y1 }) => {
        if (!tile || x1 - x0 < 1 || y1 - y0 < 1) return null;
        const part = roughPercent(divide(tile.value, total));
        return (
          <button
            key={tile.id}
            type="button"
            title={`${tile.name} · ${quantity(tile.value)} · ${part}`}
            aria-label={`${tile.name}, ${part}`}
            onClick={() => onPick(tile)}
            className={`tile absolute overflow-hidden rounded-[3px] text-left text-xs focus-visible:outline-offset-[-3px] ${tile.rest ? 'tile-rest' : ''}`}
            style={{ left: x0, top: y0, width: x1 - x0, height: y1 - y0, '--tile': tile.color } as CSSProperties}
          >
            {x1 - x0 > 54 && y1 - y0 > 28 && (
              <span className="absolute inset-x-2 top-[7px] leading-[15px]">
                <span className={`font-medium ${y1 - y0 > 62 ? 'line-clamp-2' : 'block truncate'}`}>{tile.name}</span>
                {y1 - y0 > 44 && <span className="num block truncate text-ink-2">{part}</span>}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}
