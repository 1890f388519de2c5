import { useId, useState } from 'react';
import { count } from '~/decimal/count';
import { isDecimal, shift } from '~/decimal/decimal';
import { quantity } from '~/format/figures';
import { decimalOf, isAmbiguous, refused } from '~/format/typed';
import { Input } from '~/ui/Input';

type Props = {
  id?: string;
  'aria-label'?: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
  value: string;
  onChange: (value: unknown) => void;
};

type FormProps = Props & {
  /** Returns the text for a value. */
  shown: (value: string) => string;
  /** Returns the value of a typed text. A text that is no number is a value that the server refuses. */
  read: (text: string) => unknown;
  inputMode: 'numeric' | 'decimal';
  /** The unit behind the number, such as its currency. */
  unit?: string;
};

/** An input whose text has the form of the reader, and whose value that of the contract. A text in no clear form stays, with its fault. */
function FormInput({ value, onChange, shown, read, unit, ...parts }: FormProps) {
  const [typed, setTyped] = useState({ text: shown(value), value });
  const [focused, setFocused] = useState(false);
  const [pasted, setPasted] = useState<string>();
  const fault = useId();
  const unclear =
    typed.value === value && typed.text.trim() !== '' && /[0-9]/.test(typed.text) && !decimalOf(typed.text);
  const text = focused || unclear ? typed.text : shown(value);
  const message = pasted
    ? `"${pasted}" was not pasted, because its point may separate thousands or decimals. Type the number.`
    : unclear && !focused
      ? `Write the number like ${quantity('12345.5')}.`
      : undefined;
  const input = (
    <Input
      {...parts}
      {...(message && {
        'aria-invalid': true,
        'aria-describedby': [parts['aria-describedby'], fault].filter(Boolean).join(' '),
      })}
      className={`num ${unit ? (unit.length > 1 ? 'pr-12!' : 'pr-7!') : ''}`}
      value={text}
      onFocus={() => {
        setTyped({ text, value }); // the text stays as it is, and with it the selection
        setFocused(true);
      }}
      onBlur={() => {
        setFocused(false);
        setPasted(undefined);
      }}
      onPaste={(event) => {
        const content = event.clipboardData.getData('text');
        if (isAmbiguous(content)) event.preventDefault();
        setPasted(isAmbiguous(content) ? content.trim() : undefined);
      }}
      onChange={(event) => {
        const next = read(event.target.value);
        setTyped({ text: event.target.value, value: String(next ?? '') });
        setPasted(undefined);
        onChange(next);
      }}
    />
  );
  return (
    <>
      {unit ? (
        <div className="relative w-full min-w-0">
          {input}
          <span className="absolute top-1.5 right-2.5 text-ink-3">{unit}</span>
        </div>
      ) : (
        input
      )}
      {message && (
        <p id={fault} role="alert" className="basis-full text-xs text-neg">
          {message}
        </p>
      )}
    </>
  );
}

const decimal = (text: string): string => decimalOf(text) ?? refused(text);

/** An input of a decimal number. The value stays a string. A whole number is a count, as of months. */
export function NumberInput({ whole, ...props }: Props & { whole?: boolean; unit?: string }) {
  return whole ? (
    <FormInput
      {...props}
      inputMode="numeric"
      shown={(value) => value}
      read={(text) => count(decimal(text)) ?? (decimal(text) || undefined)}
    />
  ) : (
    <FormInput
      {...props}
      inputMode="decimal"
      shown={(value) => (isDecimal(value) ? quantity(value) : value)}
      read={decimal}
    />
  );
}

/** An input of a percentage. The value is the fraction: "12.5" is "0.125". */
export function FractionInput(props: Props) {
  return (
    <FormInput
      {...props}
      inputMode="decimal"
      unit="%"
      shown={(value) => (isDecimal(value) ? quantity(shift(value, 2)) : value)}
      read={(text) => {
        const percentage = decimalOf(text);
        return percentage === undefined ? refused(text) : shift(percentage, -2);
      }}
    />
  );
}
