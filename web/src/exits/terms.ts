import type { Schema } from '~/api/client';
import { compare, type Decimal, divide, isDecimal, multiply } from '~/decimal/decimal';
import { type Address, listOf } from '~/shell/address';

/** ExitModel is the sale that the page models, as the URL holds it. */
export type ExitModel = {
  values: Decimal[];
  costRate: Decimal;
  costs: Decimal;
  date: string | undefined;
  acceleration: boolean;
};

const defaults = ['10000000', '25000000', '50000000', '100000000'];

/** The number of sale prices in the drawing. */
export const steps = 40;

export const modelOf = (address: Address): ExitModel => {
  const values = listOf(address.values).filter((value) => isDecimal(value) && compare(value, '0') > 0);
  return {
    values: values.length > 0 ? values : defaults,
    costRate: address.costRate ?? '',
    costs: address.costs ?? '',
    date: address.date,
    acceleration: address.acceleration === 'yes',
  };
};

export const addressOf = (model: ExitModel): Address => ({
  values: model.values.join(','),
  costRate: model.costRate || undefined,
  costs: model.costs || undefined,
  date: model.date,
  acceleration: model.acceleration ? 'yes' : undefined,
});

/** Returns the prices of the drawing: even steps up to a little more than the highest compared price. */
export function range(values: Decimal[]): Decimal[] {
  const highest = values.reduce((most, value) => (compare(value, most) > 0 ? value : most), '0');
  const step = divide(multiply(highest, '1.1'), steps.toString()).replace(/\..*$/, '');
  return Array.from({ length: steps }, (_, index) => multiply(step, (index + 1).toString()));
}

/** Returns the terms in the form of the contract. */
export const bodyOf = (model: ExitModel, values: Decimal[]): Schema<'ExitTerms'> =>
  ({
    values,
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
