import { ChevronRight, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Schema } from '~/api/client';
import type { Problem } from '~/api/problem';
import { otherFaults } from '~/posting/body';
import { FormFields } from '~/posting/FormFields';
import type { Body, Context } from '~/posting/posting';
import { fieldsOf } from '~/posting/usePosting';
import { Button } from '~/ui/Button';
import { Chip } from '~/ui/Chip';
import { State } from '~/ui/State';
import { formOfItem, type Item, kindNames } from './forms';

type Props = {
  item: Item;
  context: Context;
  body: Body;
  unsent: boolean;
  failed: { code: string; message?: string } | undefined;
  problem: Problem | undefined;
  onChange: (body: Body) => void;
  /** The focus left a field. */
  onLeave: () => void;
  /** Removes the record; absent for a record that the plan needs. */
  onRemove?: () => void;
};

/** The values that decide about rights and money stand below the title: addresses, roles and prices. */
const decisive = new Set<Schema<'PreviewDetail'>['mark']>(['address', 'role', 'permission', 'price']);

/** One record of the plan. It unfolds to its form, for corrections in place. */
export function PlanItem({ item, context, body, unsent, failed, problem, onChange, onLeave, onRemove }: Props) {
  const [open, setOpen] = useState(false);
  const form = formOfItem(item);
  const decides = (item.details ?? []).filter((detail) => decisive.has(detail.mark));
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-10 w-full flex-wrap items-center gap-x-2 py-1.5 text-left hover:bg-hover"
      >
        <ChevronRight size={14} aria-hidden className={`shrink-0 text-ink-3 ${open ? 'rotate-90' : ''}`} />
        <span className="w-32 shrink-0 text-ink-3 max-[900px]:hidden">{kindNames[item.kind]}</span>
        <span className="min-w-0 flex-1 font-medium break-words">{item.title}</span>
        {failed && <State of="refused" />}
        {problem ? (
          <Chip tone="bad">Not accepted</Chip>
        ) : unsent ? (
          <Chip>Changed</Chip>
        ) : item.source === 'correction' ? (
          <Chip tone="accent">Corrected</Chip>
        ) : (
          item.confidence === 'low' && <Chip tone="warn">Assumed</Chip>
        )}
        {!open && decides.length > 0 && (
          <span className="w-full pl-[22px] text-xs text-ink-3 min-[900px]:pl-[158px]">
            {decides.map((detail) => `${detail.label}: ${detail.name ?? detail.value}`).join(' · ')}
          </span>
        )}
      </button>
      {open && (
        <div className="max-w-2xl pt-2 pb-5 pl-[22px]">
          {failed && <p className="mb-2 text-neg">{failed.message ?? failed.code}</p>}
          {item.warnings.map((warning) => (
            <p key={warning.code + warning.message} className="mb-1 text-warn">
              {warning.message}
            </p>
          ))}
          {form ? (
            <ItemForm
              form={form}
              context={context}
              body={body}
              problem={problem}
              label={item.title}
              onChange={onChange}
              onLeave={onLeave}
            />
          ) : (
            <p className="text-ink-2">The package is imported as it is.</p>
          )}
          {onRemove && (
            <Button look="ghost" className="mt-4" onClick={onRemove}>
              <Trash2 size={15} aria-hidden />
              Remove from the plan
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

type FormProps = Pick<Props, 'context' | 'body' | 'problem' | 'onChange'> & {
  form: NonNullable<ReturnType<typeof formOfItem>>;
  label: string;
  onLeave?: () => void;
};

/** The fields of a record of the plan, in the order of its form in the company, with the refusal beside them. */
export function ItemForm({ form, context, body, problem, label, onChange, onLeave }: FormProps) {
  const fields = fieldsOf(form, body, context);
  const faults = problem?.faults.map((fault) => ({ ...fault, pointer: fault.pointer.replace(/^\/fields(?=\/)/, '') }));
  const unplaced = otherFaults(
    faults ?? [],
    fields.map((field) => field.name),
  );
  return (
    <fieldset aria-label={label} onBlur={onLeave} className="min-w-0">
      {problem && (faults?.length === 0 || unplaced.length > 0) && (
        <p role="alert" className="mb-3 text-neg">
          {[problem.message, ...unplaced.map((fault) => fault.message)].join(' ')}
        </p>
      )}
      <FormFields
        posting={form}
        fields={fields}
        faults={faults ?? []}
        context={context}
        body={body}
        onChange={onChange}
      />
    </fieldset>
  );
}
