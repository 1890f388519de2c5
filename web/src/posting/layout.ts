import type { ContractField } from './contract';
import type { FieldSpec } from './posting';

/** Kinds whose controls fit beside another one. */
const short = new Set(
  'date quantity authorized amount decimal price integer fraction boolean enum money currency'.split(' '),
);

/** Reports whether the control of a field needs half of the width only. */
export const isShort = (spec: FieldSpec, contract: ContractField | undefined): boolean =>
  !spec.choices && short.has(spec.control ?? contract?.kind ?? '');

/** Returns for each field whether it takes the full width. A short field without a short neighbour takes it too. */
export function fullWidths(shorts: boolean[]): boolean[] {
  const full: boolean[] = [];
  for (let at = 0; at < shorts.length; at++) {
    if (shorts[at] && shorts[at + 1]) {
      full.push(false, false);
      at++;
    } else full.push(true);
  }
  return full;
}
