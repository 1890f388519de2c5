import type { Schema } from '~/api/client';
import { isDecimal, product, subtract } from '~/decimal/decimal';
import { amountOf, money, price, quantity } from '~/format/figures';
import { Facts } from '~/journal/facts';
import type { Context } from './posting';

/**
 * Exercise is what a form states about an exercise: the quantity, how the price is paid ("cash" if it states nothing), and the market value
 * of a net exercise.
 */
export type Exercise = { quantity: unknown; payment: unknown; marketValue?: unknown };

type Event = Schema<'PreviewEvent'>;

const exercised = ({ type }: Event) => type === 'optionExercised' || type === 'holdingExercised';

/**
 * Returns the cost of an exercise in the currency of the grant or warrant: quantity × exercise price, what is due in cash, and the shares
 * that a net exercise withholds, if the preview states them. There is no cost without a price.
 */
export function costOf(
  { quantity: shares, payment, marketValue }: Exercise,
  { record, company }: Context,
  events: Event[] = [],
): (readonly [string, string])[] {
  const each = record?.exercisePrice;
  const amount = amountOf(each);
  if (typeof shares !== 'string' || !isDecimal(shares) || !amount) return [];
  const currency = typeof each === 'string' ? company.currency : each.currency;
  const facts = previewed(events, shares);
  const exactly = facts?.text('result.consideration.cash') || product(shares, amount);
  const cost = money(exactly, currency);
  const sum = ['Cost', `${quantity(shares)} × ${price(each, company.currency)} = ${cost}`] as const;
  if (payment !== 'net') return [sum, ['Due in cash', cost]];
  // Neither the form nor, in a preview, a recorded valuation states the market value.
  if (!marketValue && !events.some(exercised))
    return [sum, ['Due in cash', 'Unknown: the market value per share is missing']];
  const received = facts?.text('result.shares');
  const part = facts?.text('cashFraction');
  const cash = facts?.text('cash');
  return [
    sum,
    ['Due in cash', 'Nothing'],
    ...(received ? [['Shares withheld', quantity(subtract(shares, received))] as const] : []),
    ...(received ? [['Shares received', quantity(received)] as const] : []),
    ...(part ? [['Paid out for a part of a share', `${quantity(part)} of a share`] as const] : []),
    ...(cash ? [['Paid out for a part of a share', money(cash, currency)] as const] : []),
  ];
}

/** Returns the facts of the exercise in a preview of the same quantity. */
function previewed(events: Event[], shares: string): Facts | undefined {
  const event = events.find(exercised);
  const facts = event && new Facts(event.data, new Map());
  return facts && [facts.text('taking.quantity'), facts.text('quantity')].includes(shares) ? facts : undefined;
}
