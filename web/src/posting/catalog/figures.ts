import { isDecimal } from '~/decimal/decimal';
import { amount, quantity } from '~/format/figures';

/** Returns a typed quantity with a space behind it, for the label of a button; empty while it is no number. */
export const typed = (value: unknown): string =>
  typeof value === 'string' && isDecimal(value) ? `${quantity(value)} ` : '';

/** Returns a typed amount with a space behind it, for the label of a button. */
export const typedAmount = (value: unknown, currency: string): string => {
  const text = typeof value === 'object' && value !== null ? (value as { amount?: unknown }).amount : value;
  return typeof text === 'string' && isDecimal(text) ? `${amount(text, currency)} ` : '';
};

/** Returns the parts of a record that a form edits. */
export const picked = (record: Record<string, unknown> | undefined, names: string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => record?.[name] !== undefined).map((name) => [name, record?.[name]]));

/** Reports whether a record has a quantity that is not zero. */
export const some = (quantity: string | undefined): boolean => quantity !== undefined && quantity !== '0';
