import type { Schema } from '~/api/client';
import { type Decimal, isDecimal, sum } from '~/decimal/decimal';
import { type Address, textOf, written } from '~/shell/address';

export type Basis = 'preMoney' | 'postMoney' | 'pricePerShare';

/** Investment is an amount of an existing holder, or of a new one with a name. */
export type Investment = { entity?: string; name?: string; amount: Decimal };

/** Terms are the terms of a modelled round, as the page edits them. */
export type Terms = {
  basis: Basis;
  value: Decimal;
  investments: Investment[];
  pool: Decimal;
  /** The pool that grows, as PLAN/POOL; empty for the only one. */
  grows: string;
  name: string;
  date: string | undefined;
  convention: NonNullable<Schema<'RoundTerms'>['convention']>;
  proRata: string[];
  /** Converted shares are of the new class instead of a series for each price. */
  oneClass: boolean;
};

/** The terms that can state the value, with the range of their sliders. */
export const bases: { value: Basis; label: string; from: string; to: string }[] = [
  { value: 'preMoney', label: 'Pre-money valuation', from: '1000000', to: '1000000000' },
  { value: 'postMoney', label: 'Post-money valuation', from: '1000000', to: '1000000000' },
  { value: 'pricePerShare', label: 'Price per share', from: '1', to: '1000' },
];

/** What divides the pre-money value. */
export const conventions: { value: Terms['convention']; label: string }[] = [
  { value: 'safesInsidePreMoney', label: 'SAFEs inside the pre-money value' },
  { value: 'preMoneyMethod', label: 'Pre-money method' },
  { value: 'dollarsInvested', label: 'Dollars invested' },
];

/** What convertibles become. */
export const classes = [
  { value: 'perPrice', label: 'A series for each price' },
  { value: 'none', label: 'The new class' },
];

/** The terms of a new model: one investor without a name, who buys a fifth of the company. */
const defaults = { value: '20000000', investments: '|5000000' };

/** The names that a model shows and computes with until the user types others. A round is closed only with typed names. */
export const examples = {
  name: 'New preferred',
  investor: (index: number) => (index === 0 ? 'Lead investor' : `Investor ${index + 1}`),
};

/** Reports whether the new class and all investors have typed names. */
export const isNamed = ({ name, investments }: Terms): boolean =>
  name.trim() !== '' && investments.every((one) => one.entity !== undefined || (one.name ?? '').trim() !== '');

/** Reads the terms of the URL. */
export function termsOf(address: Address): Terms {
  return {
    basis: bases.find((basis) => basis.value === address.by)?.value ?? 'preMoney',
    value: textOf(address.value, defaults.value),
    investments: (address.invest ?? defaults.investments).split(';').filter(Boolean).map(readInvestment),
    pool: address.pool ?? '',
    grows: address.grows ?? '',
    name: address.round ?? '',
    date: address.date,
    convention: conventions.find(({ value }) => value === address.convention)?.value ?? 'safesInsidePreMoney',
    proRata: address.prorata?.split(',').filter(Boolean) ?? [],
    oneClass: address.series === 'none',
  };
}

function readInvestment(text: string): Investment {
  const [who = '', amount = '0'] = text.split('|');
  return who.startsWith('@') ? { entity: who.slice(1), amount } : { name: who, amount };
}

/** Writes the terms into the URL. */
export const addressOf = (terms: Terms): Address => ({
  by: terms.basis,
  value: written(terms.value),
  invest: terms.investments
    .map(({ entity, name, amount }) => `${entity ? `@${entity}` : clean(name ?? '')}|${amount}`)
    .join(';'),
  pool: terms.pool || undefined,
  grows: terms.grows || undefined,
  round: terms.name || undefined,
  date: terms.date,
  convention: terms.convention === 'safesInsidePreMoney' ? undefined : terms.convention,
  prorata: terms.proRata.join(',') || undefined,
  series: terms.oneClass ? 'none' : undefined,
});

const clean = (name: string) => name.replace(/[|;@]/g, ' ');

/** Returns the new money of the terms. */
export const raised = (terms: Terms): Decimal =>
  sum(terms.investments.map((investment) => (isDecimal(investment.amount) ? investment.amount : '0')));

/** Returns the terms in the form of the contract, with examples in the place of names that are not typed yet. */
export function bodyOf(terms: Terms): Schema<'RoundTerms'> {
  const [plan, pool] = terms.grows.split('/');
  return {
    [terms.basis]: terms.value,
    ...(terms.date && { date: terms.date }),
    convention: terms.convention,
    newMoney: terms.investments.map(({ entity, name, amount }, index) => ({
      investor: entity ? { entity } : { name: name?.trim() || examples.investor(index) },
      amount,
    })),
    ...(terms.pool && { pool: { target: terms.pool, ...(terms.grows && { of: { plan, pool } }) } }),
    ...(terms.proRata.length > 0 && { proRata: terms.proRata.map((entity) => ({ entity })) }),
    ...(terms.oneClass && { shadowSeries: 'none' }),
    security: { name: terms.name.trim() || examples.name },
  } as Schema<'RoundTerms'>;
}
