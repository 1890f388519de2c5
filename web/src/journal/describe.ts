import { isDecimal } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { quantity } from '~/format/figures';
import { words } from '~/format/words';

type Data = Record<string, unknown>;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

const count = (value: unknown): string | undefined => {
  const plain = text(value);
  return plain && isDecimal(plain) ? quantity(plain) : undefined;
};

/** Returns an event as a short sentence, from its type and the facts that most events have. */
export function describe(type: string, data: Data): string {
  const amount = count(data.shares) ?? count(data.quantity);
  const name = text(data.name) ?? text(data.certificate) ?? text(data.fullName);
  const date = text(data.issueDate) ?? text(data.date) ?? text(data.effectiveDate);
  const parts = [words(type), name, amount && `${amount} shares`, date && day(date)];
  return parts.filter(Boolean).join(' · ');
}
