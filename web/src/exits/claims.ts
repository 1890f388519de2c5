import type { Schema } from '~/api/client';
import { kindColors, personColor, persons } from '~/charts/colors';
import { compare, type Decimal, scaled, subtract, sum } from '~/decimal/decimal';
import { counted } from '~/format/words';

type Value = Schema<'ExitValue'>;

/** Series is a line of the drawing and of the tables: a class of shares, all claims of one kind, or a holder. */
export type Series = { id: string; name: string; color: string };

/** Division divides payments among series: all of them with their colours, and the layers of the drawing with their amounts. */
export type Division = { series: Series[]; layers: Series[]; paid: (value: Value) => Decimal[] };

const options: Series = { id: 'options', name: 'Options', color: kindColors.options };
const warrants: Series = { id: 'warrants', name: 'Warrants', color: kindColors.warrants };
const convertibles: Series = { id: 'convertibles', name: 'Convertibles', color: kindColors.convertibles };

/** The series of the kinds of claims. All other kinds are grants of plans. */
const kinds: Record<string, Series> = {
  warrant: warrants,
  convertibleNote: convertibles,
  safe: convertibles,
  custom: convertibles,
};

/** Returns the chosen series; all of them without a choice. */
const among = (series: Series[], chosen: string[]): Series[] => {
  const found = series.filter((one) => chosen.includes(one.id));
  return found.length > 0 ? found : series;
};

/** Keeps the amounts of each value: a drawing asks for them again at every move of the pointer. */
function remembered(paid: Division['paid']): Division['paid'] {
  const known = new WeakMap<Value, Decimal[]>();
  return (value) => {
    const amounts = known.get(value) ?? paid(value);
    known.set(value, amounts);
    return amounts;
  };
}

/** Returns the holders in the order of their payments, the largest first. */
const largestFirst = (holders: Value['holders']): Value['holders'] =>
  holders
    .map((one) => ({ one, amount: scaled(one.amount) }))
    .sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
    .map(({ one }) => one);

/** Divides payments by class and kind of claim. Classes have the colours of the cap table. */
export function byClass(
  claims: Schema<'ExitClaim'>[],
  colors: ReadonlyMap<string, string>,
  chosen: string[],
): Division {
  const groups = new Map<string, Series>();
  const of = claims.map((claim) => {
    const shares = claim.kind === 'shares';
    const made = shares
      ? { id: claim.id, name: claim.name, color: colors.get(claim.id) ?? kindColors.rest }
      : (kinds[claim.kind] ?? options);
    const known = groups.get(made.id) ?? made;
    groups.set(known.id, known);
    return known.id;
  });
  const series = [...groups.values()];
  const layers = among(series, chosen);
  const paid = remembered((value) => {
    const amounts = new Map<string, Decimal[]>(layers.map((one) => [one.id, []]));
    value.claims.forEach((claim, index) => void amounts.get(of[index] ?? '')?.push(claim.amount));
    return layers.map((one) => sum(amounts.get(one.id) ?? []));
  });
  return { series, layers, paid };
}

/** Reports whether an outcome lists the payments of the layers of a division by holder. */
export const lists = ({ values: [first] }: Schema<'ExitOutcome'>, { layers }: Division): boolean =>
  layers.every(({ id }) => id === 'others' || first?.holders.some((one) => one.entity === id));

/**
 * Divides payments by holder, the largest at the highest price first. Without a choice, smaller holders are one layer. The divided values
 * need to list the holders of the layers only.
 */
export function byHolder(outcome: Schema<'ExitOutcome'>, chosen: string[]): Division {
  const [highest] = outcome.values.toSorted((a, b) => compare(b.value, a.value));
  const holders = largestFirst(highest?.holders ?? []);
  const picked = holders.filter((one) => chosen.includes(one.entity));
  const colored = new Map((picked.length > 0 ? picked : holders.slice(0, persons)).map((one, at) => [one.entity, at]));
  const series = holders.map((one) => ({
    id: one.entity,
    name: one.name,
    color: personColor(colored.get(one.entity) ?? persons),
  }));
  const layers = series.filter((one) => colored.has(one.id));
  const others = picked.length > 0 ? 0 : series.length - layers.length;
  if (others > 0) layers.push({ id: 'others', name: counted(others, 'other'), color: personColor(persons) });
  const paid = remembered((value) => {
    const amounts = new Map(value.holders.map((one) => [one.entity, one.amount]));
    const drawn = layers.filter((one) => one.id !== 'others').map((one) => amounts.get(one.id) ?? '0');
    const rest = () => subtract(sum(value.claims.map((claim) => claim.amount)), sum(drawn));
    return others > 0 ? [...drawn, rest()] : drawn;
  });
  return { series, layers, paid };
}
