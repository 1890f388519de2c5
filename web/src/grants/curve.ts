import type { Schema } from '~/api/client';
import { add, compare, type Decimal, subtract } from '~/decimal/decimal';

/** Step is a quantity that vests on a date. */
export type Step = { date: string; quantity: Decimal };

/**
 * Returns the vesting of a grant by date: the installments of its schedule and its accelerations until the whole grant has
 * vested, without those after the end of service.
 */
export function vestingSteps(grant: Schema<'Option'>, installments: Step[]): Step[] {
  const last = grant.termination?.date;
  const dated = [...installments, ...(grant.accelerations ?? [])]
    .filter((step) => last === undefined || step.date <= last)
    .sort((a, b) => a.date.localeCompare(b.date));
  const steps: Step[] = [];
  let left = grant.quantity;
  for (const { date, quantity } of dated) {
    const vests = compare(quantity, left) > 0 ? left : quantity;
    if (vests === '0') continue;
    left = subtract(left, vests);
    const before = steps.at(-1);
    if (before?.date === date) before.quantity = add(before.quantity, vests);
    else steps.push({ date, quantity: vests });
  }
  return steps;
}

type Condition = { id: string; when?: { kind?: string; event?: string } };

/** Returns the names of the events that conditions of a grant still wait for. */
export function openEvents(grant: Pick<Schema<'Option'>, 'terms' | 'happenings'>): string[] {
  const conditions = (grant.terms?.conditions ?? []) as Condition[];
  const happened = new Set(grant.happenings?.map((one) => one.condition));
  const waiting = conditions
    .filter(({ id, when }) => when?.kind === 'event' && !happened.has(id) && !happened.has(when.event ?? id))
    .map(({ id, when }) => when?.event ?? id);
  return [...new Set(waiting)];
}
