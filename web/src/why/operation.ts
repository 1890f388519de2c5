import type { Schema } from '~/api/client';
import { type Decimal, isDecimal } from '~/decimal/decimal';
import { percent, quantity } from '~/format/figures';
import { sentence } from '~/format/sentence';

export type Term = Schema<'Term'>;
export type Operation = Term['operation'];

/** Says how a figure follows from its terms; empty for figures without a calculation. */
export const captions: Record<Operation, string> = {
  sum: 'the sum of',
  difference: 'the first minus the others',
  product: 'the product of',
  fraction: 'the first two, divided by the third',
  least: 'the smallest of',
  percentage: 'the first as a part of the second',
  figure: '',
  recorded: 'recorded',
};

const symbols: Partial<Record<Operation, string[]>> = {
  sum: ['', '+'],
  difference: ['', '−'],
  product: ['', '×'],
  fraction: ['', '×', '÷'],
  percentage: ['', '÷'],
};

/** Returns the symbol before a term, by the operation that joins the terms and the place of the term among them. */
export function symbolOf(operation: Operation, index: number): string {
  const known = symbols[operation] ?? [];
  return known[Math.min(index, known.length - 1)] ?? '';
}

/** Returns the value of a term as it is displayed. */
export function shown(term: Pick<Term, 'value' | 'operation'>): string {
  if (!isDecimal(term.value)) return term.value;
  return term.operation === 'percentage' ? percent(term.value as Decimal) : quantity(term.value);
}

/** Returns the label of a term in the form of the reader. */
export const labelOf = ({ label }: Pick<Term, 'label'>): string => sentence(label);
