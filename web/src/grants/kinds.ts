import type { Schema } from '~/api/client';
import { words } from '~/format/words';

type Type = Schema<'OptionType'>;

const names: Record<string, string> = { iso: 'ISO', nso: 'NSO', rsu: 'RSU', sar: 'SAR' };

/** Returns the name of a type of grant, such as ISO. */
export const typeName = (type: string): string => names[type] ?? words(type);

/** The types of grants as choices. */
export const typeChoices = (['iso', 'nso', 'international', 'rsu', 'sar'] satisfies Type[]).map((type) => ({
  value: type,
  label: typeName(type),
}));

/** Returns what a grant consists of: options, units or rights. */
export const nounOf = (type: unknown): string => (type === 'rsu' ? 'units' : type === 'sar' ? 'rights' : 'options');

const reasons: Record<string, string> = {
  voluntaryOther: 'Resignation',
  voluntaryGoodCause: 'Resignation for good cause',
  voluntaryRetirement: 'Retirement',
  involuntaryOther: 'Dismissal',
  involuntaryDeath: 'Death',
  involuntaryDisability: 'Disability',
  involuntaryWithCause: 'Dismissal for cause',
};

/** Returns the reason of the end of service in words. */
export const reasonName = (reason: string): string => reasons[reason] ?? words(reason);

/** The reasons of the end of service as choices. */
export const reasonChoices = Object.entries(reasons).map(([value, label]) => ({ value, label }));

type Period = { n: number; unit: string };

/** Returns a period in words: 3 months, 1 year. */
export const periodText = ({ n, unit }: Period): string => `${n} ${n === 1 ? unit.replace(/s$/, '') : unit}`;

/** Returns the state of a grant on the day: vesting as long as a part is unvested. */
export function stateOf(row: Schema<'Option'>): 'Vesting' | 'Vested' | 'Ended' {
  if (row.end || row.outstanding === '0') return 'Ended';
  return row.unvested !== undefined && row.unvested !== '0' ? 'Vesting' : 'Vested';
}
