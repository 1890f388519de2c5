import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';

type Props<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
};

/** A switch between a few views of the same data. */
export function Segments<Value extends string>({ label, value, choices, onChange }: Props<Value>) {
  return (
    <ToggleGroup
      aria-label={label}
      value={[value]}
      onValueChange={(pressed) => pressed[0] && onChange(pressed[0] as Value)}
      className="flex h-8 rounded-[7px] bg-active p-[3px]"
    >
      {choices.map(([choice, text]) => (
        <Toggle
          key={choice}
          value={choice}
          className="rounded-[5px] px-2.5 whitespace-nowrap text-ink-2 data-pressed:bg-raised data-pressed:font-medium data-pressed:text-ink data-pressed:shadow-[0_1px_2px_rgb(0_0_0/.1)]"
        >
          {text}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
