import { type FormEvent, useState } from 'react';
import type { Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { isDecimal } from '~/decimal/decimal';
import { quantity } from '~/format/figures';
import { NumberInput } from '~/posting/NumberInput';
import { Button } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Select } from '~/ui/Select';

type Props = {
  question: Schema<'OnboardingQuestion'>;
  error: unknown;
  busy: boolean;
  onAnswer: (answer: string) => void;
};

/** A question about a missing fact. A choice is answered at once, other kinds with a button. Numbers have the form of the reader. */
export function Question({ question, error, busy, onAnswer }: Props) {
  const [text, setText] = useState(question.answer ?? question.default ?? '');
  const isNumber = question.kind === 'number' || question.kind === 'money';
  const shown = (value: string) => (isNumber && isDecimal(value) ? quantity(value) : value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAnswer(text);
  };
  return (
    <form onSubmit={submit} className="max-w-xl border-b border-line py-4">
      <Field
        label={question.text}
        optional={!question.required}
        help={!question.answer && question.default ? `Assumed: ${shown(question.default)}` : undefined}
        error={error ? problemOf(error).message : undefined}
      >
        {(parts) =>
          question.kind === 'choice' ? (
            <Select
              {...parts}
              choices={question.options.map((option) => ({ value: option, label: option }))}
              value={question.answer ?? undefined}
              onChange={onAnswer}
            />
          ) : (
            <div className="flex gap-2">
              {isNumber ? (
                <NumberInput {...parts} value={text} onChange={(next) => setText(String(next))} />
              ) : (
                <Input
                  {...parts}
                  type={question.kind === 'date' ? 'date' : 'text'}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
              )}
              <Button
                type="submit"
                disabled={busy || !text || text === question.answer || (isNumber && !isDecimal(text))}
              >
                {question.answer ? 'Change' : 'Answer'}
              </Button>
            </div>
          )
        }
      </Field>
    </form>
  );
}
