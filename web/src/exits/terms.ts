import type { Schema } from '~/api/client';
import { add, compare, type Decimal, divide, isDecimal, multiply } from '~/decimal/decimal';
import { type Address, listOf, textOf, written } from '~/shell/address';

/** ExitModel is the sale that the page models, as the URL holds it. */
export type ExitModel = {
  /** The sale prices as they are typed, also unfinished ones. */
  values: string[];
  costRate: Decimal;
  costs: Decimal;
  date: string | undefined;
  acceleration: boolean;
};

const defaults = ['10000000', '25000000', '50000000', '100000000'];

/** The number of sale prices in the drawing. */
export const steps = 40;

export const modelOf = (address: Address): ExitModel => {
  return {
    values: address.values === undefined ? defaults : listOf(address.values).map((value) => textOf(value, '')),
    costRate: address.costRate ?? '',
    costs: address.costs ?? '',
    date: address.date,
    acceleration: address.acceleration === 'yes',
  };
};

export const addressOf = (model: ExitModel): Address => ({
  values: model.values.map(written).join(','),
  costRate: model.costRate || undefined,
  costs: model.costs || undefined,
  date: model.date,
  acceleration: model.acceleration ? 'yes' : undefined,
});

/** Reports whether a text is a sale price. */
export const isPrice = (text: string): boolean => isDecimal(text) && compare(text, '0') > 0;

/** Returns the different prices among the typed ones. */
export const pricesOf = (model: ExitModel): Decimal[] => [
  ...new Set(model.values.filter(isPrice).map((value) => add(value, '0'))), // "5.0" is "5"
];

/** Returns the place of the first price that is at least the chosen one; without a choice, the middle. */
export function placeOf(prices: Decimal[], chosen: string | undefined): number {
  if (chosen === undefined || !isPrice(chosen)) return Math.floor((prices.length - 1) / 2);
  const found = prices.findIndex((price) => compare(price, chosen) >= 0);
  return found < 0 ? prices.length - 1 : found;
}

/** Returns the prices of the drawing: even steps up to a little more than the highest compared price; none without one. */
export function range(values: Decimal[]): Decimal[] {
  if (values.length === 0) return [];
  const highest = values.reduce((most, value) => (compare(value, most) > 0 ? value : most), '0');
  const step = divide(multiply(highest, '1.1'), steps.toString()).replace(/\..*$/, '');
  return Array.from({ length: steps }, (_, index) => multiply(step, (index + 1).toString()));
}

/** Returns the terms in the form of the contract. `holders` are those whose payments are listed; all of them by default. */
export const bodyOf = (model: ExitModel, values: Decimal[], holders?: string[]): Schema<'ExitTerms'> =>
  ({
    values,
    ...(holders && { holders }),
    ...(model.costRate && { costRate: model.costRate }),
    ...(model.costs && { costs: model.costs }),
    ...(model.date && { date: model.date }),
    ...(model.acceleration && { acceleration: true }),
  }) as Schema<'ExitTerms'>;

const converting = new Set(['shares', 'convertibleNote', 'safe', 'custom']);

/** Returns the prices from which conversion is worth more than cash, with the names of the converting claims. */
export function breakPoints(outcome: Schema<'ExitOutcome'>): { value: Decimal; names: string[] }[] {
  const names = new Map(
    outcome.claims.filter((claim) => converting.has(claim.kind)).map((claim) => [claim.id, claim.name]),
  );
  return outcome.values.flatMap((value, index) => {
    const before = outcome.values[index - 1];
    if (!before) return [];
    const changed = value.claims.filter(
      (paid, place) => names.has(paid.id) && paid.converts && before.claims[place]?.converts === false,
    );
    return changed.length > 0
      ? [{ value: value.value, names: [...new Set(changed.map((paid) => names.get(paid.id) ?? ''))] }]
      : [];
  });
}
