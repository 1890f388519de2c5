import type { Schema } from '~/api/client';
import { periodText } from '~/grants/kinds';

type Terms = Pick<Schema<'VestingSchedule'>, 'continuous' | 'discrete' | 'terms'>;

/** Returns the terms of a schedule in words. */
export function termsText({ continuous, discrete, terms }: Terms): string {
  if (continuous) {
    const { length, frequency, cliff } = continuous;
    const every = frequency.n === 1 ? frequency.unit.replace(/s$/, '') : periodText(frequency);
    return `${periodText(length)}, every ${every}${cliff ? `, cliff after ${periodText(cliff.after)}` : ''}`;
  }
  if (discrete) {
    const milestones = discrete.filter((one) => one.milestone !== undefined).length;
    return `${discrete.length} tranches${milestones > 0 ? `, ${milestones} by milestone` : ''}`;
  }
  return `${terms?.conditions.length ?? 0} conditions`;
}
