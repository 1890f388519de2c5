import { cut, type Decimal, isDecimal, isZero, rounded } from '~/decimal/decimal';
import { decimalsOf, money, quantity } from '~/format/figures';
import type { Body, Context } from '../posting';

/** Returns a typed quantity with a space behind it, for the label of a button; empty while it is no number. */
export const typed = (value: unknown): string =>
  typeof value === 'string' && isDecimal(value) ? `${quantity(value)} ` : '';

/** Money is an amount with its currency, while it is edited. */
export type Money = { amount?: unknown; currency?: string };

export const isMoney = (value: unknown): value is Money => typeof value === 'object' && value !== null;

const currencyIn = (body: Body | undefined) => (isMoney(body?.principal) ? body.principal.currency : undefined);

/** Returns the currency of an amount that states none: that of the principal of the record or of the body, or else of the company. */
export const currencyOf = ({ record, company }: Pick<Context, 'record' | 'company'>, body?: Body): string =>
  currencyIn(record) ?? currencyIn(body) ?? company.currency;

/** Returns a typed amount with a space behind it, for the label of a button. */
export function typedAmount(value: unknown, currency: string): string {
  const { amount, currency: own = currency }: Money = isMoney(value) ? value : { amount: value };
  return typeof amount === 'string' && isDecimal(amount) ? `${money(amount, own)} ` : '';
}

/**
 * Returns the payment that settles a debt, in whole units of its currency; undefined without one. The server accepts the balance rounded
 * to hundredths, and settles a debt of which less than half of a hundredth is left. Other units are cut, because more is refused.
 */
export function settlement(balance: Decimal | undefined, currency: string): Decimal | undefined {
  if (balance === undefined) return undefined;
  const digits = decimalsOf(currency);
  const payment = cut(digits > hundredths ? balance : rounded(balance, hundredths), digits);
  return isZero(payment) ? undefined : payment;
}

const hundredths = 2;

/** Returns the parts of a record that a form edits. */
export const picked = (
  record: Record<string, unknown> | undefined,
  names: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => record?.[name] !== undefined).map((name) => [name, record?.[name]]));

/** Reports whether a record has a quantity that is not zero. */
export const some = (quantity: string | undefined): boolean => quantity !== undefined && quantity !== '0';
