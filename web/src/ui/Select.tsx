import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';

export type Choice = { value: string; label: string; detail?: string };

type Props = {
  choices: Choice[];
  value: string | undefined;
  onChange: (value: string) => void;
  placeholder?: string;
  /** Whether a made choice can be removed again. Its value is then empty. */
  optional?: boolean;
  label?: string;
  id?: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
  disabled?: boolean;
  className?: string;
};

/** A choice of one value from a short list. */
export function Select({
  choices,
  value,
  onChange,
  placeholder = 'Choose',
  optional,
  label,
  className = '',
  disabled,
  ...aria
}: Props) {
  const offered = optional && value !== undefined ? [{ value: '', label: 'No choice' }, ...choices] : choices;
  return (
    <Base.Root
      items={offered}
      value={value ?? null}
      onValueChange={(chosen) => onChange(chosen ?? '')}
      disabled={disabled}
    >
      <Base.Trigger {...aria} aria-label={label} className={`field flex items-center gap-2 text-left ${className}`}>
        <Base.Value>
          {(chosen: string | null) => (
            <span className={`truncate ${chosen ? '' : 'text-ink-3'}`}>
              {choices.find((choice) => choice.value === chosen)?.label ?? placeholder}
            </span>
          )}
        </Base.Value>
        <Base.Icon className="ml-auto text-ink-3">
          <ChevronsUpDown size={14} aria-hidden />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-60">
          <Base.Popup className="pop max-h-72 min-w-(--anchor-width) overflow-y-auto p-1">
            {offered.map((choice: Choice) => (
              <Base.Item
                key={choice.value}
                value={choice.value}
                className={`flex min-h-8 items-center gap-2 rounded-md px-2 py-1 data-highlighted:bg-active ${choice.value ? '' : 'text-ink-3'}`}
              >
                <Base.ItemText className="flex-1">{choice.label}</Base.ItemText>
                {choice.detail && <span className="num text-xs text-ink-3">{choice.detail}</span>}
                <Base.ItemIndicator>
                  <Check size={14} aria-hidden />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
