import { words } from '~/format/words';
import type { ControlProps } from './Control';

/** A choice of several values from a short list. */
export function CheckList({ id, spec, contract, value, onChange }: ControlProps) {
  const chosen = Array.isArray(value) ? (value as string[]) : [];
  const toggle = (option: string) =>
    onChange(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]);
  return (
    <div
      id={id}
      role="group"
      aria-label={spec.label ?? words(spec.name)}
      className="grid grid-cols-2 gap-1.5 max-[900px]:grid-cols-1"
    >
      {(contract?.item?.options ?? []).map((option) => (
        <label key={option} className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            checked={chosen.includes(option)}
            onChange={() => toggle(option)}
          />
          {words(option)}
        </label>
      ))}
    </div>
  );
}
