import { useState } from 'react';
import { count } from '~/decimal/count';
import { isDecimal, shift } from '~/decimal/decimal';
import { quantity } from '~/format/figures';
import { Input } from '~/ui/Input';

type Props = {
  id?: string;
  'aria-label'?: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
  value: string;
  onChange: (value: unknown) => void;
};

/** Returns the typed text as a decimal, without separators of thousands. Other text stays, so that the server names the fault. */
const plain = (typed: string): string => typed.replace(/[\s,_]/g, '');

/** An input of a decimal number. The value stays a string. A whole number is a count, as of months. */
export function NumberInput({ value, onChange, whole, ...parts }: Props & { whole?: boolean }) {
  const [typed, setTyped] = useState(value);
  const [focused, setFocused] = useState(false);
  const grouped = isDecimal(value) && !whole ? quantity(value) : value;
  return (
    <Input
      {...parts}
      inputMode={whole ? 'numeric' : 'decimal'}
      className="num"
      value={focused ? typed : grouped}
      onFocus={() => {
        setTyped(grouped); // the text stays as it is, and with it the selection
        setFocused(true);
      }}
      onBlur={() => setFocused(false)}
      onChange={(event) => {
        setTyped(event.target.value);
        const text = plain(event.target.value);
        onChange(whole ? (count(text) ?? (text || undefined)) : text);
      }}
    />
  );
}

/** An input of a percentage. The value is the fraction: "12.5" is "0.125". */
export function FractionInput({ value, onChange, ...parts }: Props) {
  const percentage = isDecimal(value) ? shift(value, 2) : value;
  const [typed, setTyped] = useState(percentage);
  const [focused, setFocused] = useState(false);
  const fraction = (text: string) => (isDecimal(text) ? shift(text, -2) : text);
  return (
    <div className="relative">
      <Input
        {...parts}
        inputMode="decimal"
        className="num pr-7!"
        value={focused ? typed : percentage}
        onFocus={() => {
          setTyped(percentage);
          setFocused(true);
        }}
        onBlur={() => setFocused(false)}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(fraction(plain(event.target.value)));
        }}
      />
      <span aria-hidden className="absolute top-1.5 right-2.5 text-ink-3">
        %
      </span>
    </div>
  );
}
