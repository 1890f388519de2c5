import { useRoving } from './roving';

type Props<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
};

/** A switch between a few views of the same data: one tab stop, with arrow keys between the views. */
export function Segments<Value extends string>({ label, value, choices, onChange }: Props<Value>) {
  const roving = useRoving<HTMLFieldSetElement>('[aria-pressed=true]');
  return (
    <fieldset {...roving} className="flex print:hidden h-8 rounded-[7px] bg-active p-[3px]">
      <legend className="sr-only">{label}</legend>
      {choices.map(([choice, text]) => (
        <button
          type="button"
          key={choice}
          aria-pressed={choice === value}
          onClick={() => onChange(choice)}
          className="rounded-[5px] px-2.5 whitespace-nowrap text-ink-2 aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-[0_1px_2px_rgb(0_0_0/.1)]"
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
