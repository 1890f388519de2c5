import type { Schema } from '~/api/client';
import { type Decimal, sum } from '~/decimal/decimal';

/** ClaimGroup is a line of the drawing and of the tables: a class of shares, or all claims of one kind. */
export type ClaimGroup = { id: string; name: string; color: string };

const options: ClaimGroup = { id: 'options', name: 'Options', color: 'var(--c-options)' };
const warrants: ClaimGroup = { id: 'warrants', name: 'Warrants', color: 'var(--c-warrants)' };
const convertibles: ClaimGroup = { id: 'convertibles', name: 'Convertibles', color: 'var(--c-convertibles)' };

/** The groups of the kinds of claims. All other kinds are grants of plans. */
const kinds: Record<string, ClaimGroup> = {
  warrant: warrants,
  convertibleNote: convertibles,
  safe: convertibles,
  custom: convertibles,
};
const rounds = ['var(--c-seed)', 'var(--c-a)', 'var(--c-b)'];

/** Returns the groups of the claims, in their order, and the group of each claim by its index. */
export function groupsOf(claims: Schema<'ExitClaim'>[]): { groups: ClaimGroup[]; of: ClaimGroup[] } {
  const groups = new Map<string, ClaimGroup>();
  let preferred = 0;
  const of = claims.map((claim) => {
    const shares = claim.kind === 'shares';
    const key = shares ? claim.id : (kinds[claim.kind] ?? options).id;
    const known = groups.get(key);
    if (known) return known;
    const color = claim.preference ? (rounds[Math.min(preferred++, rounds.length - 1)] ?? '') : 'var(--c-common)';
    const made = shares ? { id: claim.id, name: claim.name, color } : (kinds[claim.kind] ?? options);
    groups.set(key, made);
    return made;
  });
  return { groups: [...groups.values()], of };
}

/** Returns the payment to each group at one sale price, in the order of the groups. */
export function paidTo(groups: ClaimGroup[], of: ClaimGroup[], value: Schema<'ExitValue'>): Decimal[] {
  return groups.map((group) =>
    sum(value.claims.filter((_, index) => of[index]?.id === group.id).map((paid) => paid.amount)),
  );
}
