import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { isDecimal } from '~/decimal/decimal';
import { words } from '~/format/words';
import { Details } from '~/posting/Details';
import { NumberInput } from '~/posting/NumberInput';
import { Button } from '~/ui/Button';
import { Chip } from '~/ui/Chip';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';

type Item = Schema<'OnboardingItem'>;
type Props = {
  item: Item;
  titles: Map<string, string>;
  failed: { code: string; message?: string } | undefined;
  error: unknown;
  onCorrect: (path: string, value: unknown) => void;
};

/** The fields of an item with plain values, as JSON pointers. Those of other items stand for their records. */
function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [[path, String(value)]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) =>
    leaves(part, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

/** One record of the plan with the fields that decide. It unfolds to all of its fields, for corrections in place. */
export function PlanItem({ item, titles, failed, error, onCorrect }: Props) {
  const [open, setOpen] = useState(failed !== undefined);
  const shown = (item.details ?? []).filter((detail) => open || detail.mark);
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-10 w-full items-center gap-2 text-left hover:bg-hover"
      >
        <ChevronRight size={14} aria-hidden className={`shrink-0 text-ink-3 ${open ? 'rotate-90' : ''}`} />
        <span className="w-32 shrink-0 text-ink-3 max-[900px]:hidden">{words(item.kind)}</span>
        <span className="min-w-0 flex-1 truncate font-medium">{item.title}</span>
        {failed && <Chip tone="bad">Refused</Chip>}
        {item.confidence === 'low' && <Chip tone="warn">Assumed</Chip>}
        {item.source === 'correction' && <Chip tone="accent">Corrected</Chip>}
      </button>
      {shown.length > 0 && (
        <div className="pl-6">
          <Details details={shown} />
        </div>
      )}
      {open && (
        <div className="pb-4 pl-6">
          {failed && <p className="mb-2 text-neg">{failed.message ?? failed.code}</p>}
          {item.warnings.map((warning) => (
            <p key={warning.code} className="mb-1 text-warn">
              {warning.message}
            </p>
          ))}
          <div className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-3">
            {leaves(item.fields).map(([path, value]) => {
              const reference = titles.get(value);
              const label = words(
                path
                  .split('/')
                  .filter(Boolean)
                  .join(' ')
                  .replace(/\b\d+\b/g, ''),
              );
              return reference ? (
                <div key={path}>
                  <p className="font-medium">{label}</p>
                  <p className="text-ink-2">{reference}</p>
                </div>
              ) : (
                <Leaf
                  key={`${path} ${value}`}
                  label={label}
                  value={value}
                  onCorrect={(next) => onCorrect(path, next)}
                />
              );
            })}
          </div>
          {error !== undefined && error !== null && (
            <p role="alert" className="mt-2 text-neg">
              {problemOf(error).message}{' '}
              {problemOf(error)
                .faults.map((fault) => fault.message)
                .join(' ')}
            </p>
          )}
        </div>
      )}
    </li>
  );
}

/** One field of an item; a changed value is sent by its button or by Enter. */
function Leaf({ label, value, onCorrect }: { label: string; value: string; onCorrect: (value: string) => void }) {
  const [text, setText] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCorrect(text);
      }}
    >
      <Field label={label}>
        {(parts) => (
          <div className="flex gap-1.5">
            {isDecimal(value) && !/^0[0-9]/.test(value) ? ( // a code may begin with 0
              <NumberInput {...parts} value={text} onChange={(next) => setText(String(next))} />
            ) : (
              <Input {...parts} className="num" value={text} onChange={(event) => setText(event.target.value)} />
            )}
            {text !== value && <Button type="submit">Correct</Button>}
          </div>
        )}
      </Field>
    </form>
  );
}
