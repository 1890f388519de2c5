import { Combobox as Base } from '@base-ui/react/combobox';
import { Check } from 'lucide-react';
import type { Choice } from './Select';

type Props = {
  choices: Choice[];
  value: string | undefined;
  onChange: (value: string) => void;
  placeholder?: string;
  label?: string;
  id?: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
  disabled?: boolean;
};

const most = 60; // shown matches; further ones need more letters

/** A choice of one value from a long list, found by typing. */
export function Combobox({ choices, value, onChange, placeholder = 'Search', label, disabled, ...aria }: Props) {
  const chosen = choices.find((choice) => choice.value === value) ?? null;
  return (
    <Base.Root
      items={choices}
      value={chosen}
      limit={most}
      onValueChange={(choice: Choice | null) => onChange(choice?.value ?? '')}
      isItemEqualToValue={(a: Choice, b: Choice) => a.value === b.value}
      disabled={disabled}
    >
      <Base.Input {...aria} aria-label={label} placeholder={placeholder} className="field" autoComplete="off" />
      <Base.Portal>
        <Base.Positioner sideOffset={4} className="z-60">
          <Base.Popup className="pop max-h-72 w-(--anchor-width) overflow-y-auto p-1">
            <Base.Empty className="px-2 py-2 text-ink-3 empty:hidden">No matches</Base.Empty>
            <Base.List>
              {(choice: Choice) => (
                <Base.Item
                  key={choice.value}
                  value={choice}
                  className="flex min-h-8 items-center gap-2 rounded-md px-2 py-1 data-highlighted:bg-active"
                >
                  <span className="flex-1 truncate">{choice.label}</span>
                  {choice.detail && <span className="num text-xs text-ink-3">{choice.detail}</span>}
                  <Base.ItemIndicator>
                    <Check size={14} aria-hidden />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
