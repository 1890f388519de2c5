import type { ReactNode } from 'react';
import { type Decimal, isDecimal, shift } from '~/decimal/decimal';
import { fromLogPosition, fromPosition, logPosition, position, positions, sliderPosition } from '~/decimal/geometry';
import { exactPercent } from '~/format/figures';

type Props = { label: string; value: Decimal; onChange: (value: Decimal) => void; children?: ReactNode };

const look = 'h-4 w-full accent-(--accent)';

/** A slider over amounts of very different size, beside a field with the exact value. */
export function AmountSlider({ label, value, onChange, from, to }: Props & { from: Decimal; to: Decimal }) {
  return (
    <input
      type="range"
      aria-label={label}
      className={look}
      min={0}
      max={positions}
      value={isDecimal(value) ? logPosition(value, from, to) : 0}
      aria-valuetext={value}
      onChange={(event) => onChange(fromLogPosition(sliderPosition(event.target), from, to))}
    />
  );
}

/** A slider over fractions in half percent, beside a field with the exact value. `most` is in percent. */
export function FractionSlider({ label, value, onChange, most }: Props & { most: number }) {
  return (
    <input
      type="range"
      aria-label={label}
      className={look}
      min={0}
      max={most * 10}
      step={5}
      value={isDecimal(value) ? position(shift(value, 3)) : 0}
      aria-valuetext={isDecimal(value) ? exactPercent(value) : exactPercent('0')}
      onChange={(event) => onChange(shift(fromPosition(sliderPosition(event.target)), -3))}
    />
  );
}
