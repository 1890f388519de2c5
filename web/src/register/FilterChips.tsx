import { toggled } from '~/shell/address';
import { Swatch } from '~/ui/Chip';
import { useRoving } from '~/ui/roving';
import type { Filter } from './column';

const most = 3; // choices of a filter beside the search; more of them have a line of their own

type Props<Row> = { filter: Filter<Row>; values: string[]; onChange: (values: string | undefined) => void };

/** The choices of a filter as one tab stop. */
export function FilterChips<Row>({ filter, values, onChange }: Props<Row>) {
  const roving = useRoving<HTMLFieldSetElement>();
  return (
    <fieldset
      {...roving}
      className={`flex min-w-0 gap-1.5 ${filter.line || filter.choices.length > most ? 'base-ui-disable-scrollbar order-last -m-1 h-9 print:h-auto w-[calc(100%+8px)] items-center overflow-x-auto px-1' : 'flex-wrap'}`}
      aria-label={filter.label}
    >
      {filter.choices.map((choice) => (
        <button
          type="button"
          key={choice.value}
          aria-pressed={values.includes(choice.value)}
          onClick={() => onChange(toggled(values, choice.value))}
          className="flex h-7 shrink-0 items-center gap-1.5 rounded-full border border-line px-2.5 text-xs text-ink-2 not-aria-pressed:print:hidden hover:border-line-strong aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-ink"
        >
          {choice.color && <Swatch color={choice.color} />}
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
