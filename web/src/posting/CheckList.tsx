import { words } from '~/format/words';
import type { Choice } from '~/ui/Select';
import type { ControlProps } from './Control';

/** A choice of several values from a list of the contract. */
export function CheckList(props: ControlProps) {
  const options = props.contract?.item?.options ?? [];
  return <Checks {...props} choices={options.map((value) => ({ value, label: words(value) }))} />;
}

/** A choice of several values. */
export function Checks({ id, choices, value, onChange, ...rest }: ControlProps & { choices: Choice[] }) {
  const chosen = Array.isArray(value) ? (value as string[]) : [];
  const toggle = (option: string) => {
    const next = chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option];
    onChange(next.length > 0 ? next : undefined);
  };
  return (
    <div
      id={id}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={rest['aria-describedby']}
      className="grid max-h-44 grid-cols-2 gap-x-3 gap-y-1.5 overflow-y-auto max-[900px]:grid-cols-1"
    >
      {choices.length === 0 && <span className="text-ink-3">None exist yet.</span>}
      {choices.map((option) => (
        <label key={option.value} className="flex min-w-0 items-center gap-2">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-(--accent)"
            checked={chosen.includes(option.value)}
            onChange={() => toggle(option.value)}
          />
          <span className="truncate" title={option.label}>
            {option.label}
          </span>
        </label>
      ))}
    </div>
  );
}
