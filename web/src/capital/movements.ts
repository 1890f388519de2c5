import type { Schema } from '~/api/client';
import { type Decimal, subtract } from '~/decimal/decimal';

type Position = Schema<'PortfolioPosition'>;

/** Movement is a position at the end of a period, with its quantity at the start and the change. */
export type Movement = Position & { before: Decimal; change: Decimal };

const keyOf = (row: Position) => row.holding ?? `${row.organization.id} ${row.security?.id} ${row.kind}`;

/** Returns the positions of a period: those at its end, then those that ended within it, of which only the quantities are stated. */
export function movements(opening: Position[], closing: Position[]): Movement[] {
  const before = new Map(opening.map((row) => [keyOf(row), row.shares]));
  const last = new Set(closing.map(keyOf));
  const open = closing.map((row) => {
    const quantity = before.get(keyOf(row)) ?? '0';
    return { ...row, before: quantity, change: subtract(row.shares, quantity) };
  });
  const ended = opening
    .filter((row) => !last.has(keyOf(row)))
    .map(({ kind, organization, security, holding, shares, invested }) => ({
      ...{ kind, organization, security, holding, before: shares },
      invested: { ...invested, amount: '0' },
      shares: '0',
      change: subtract('0', shares),
    }));
  return [...open, ...ended];
}

/** Returns the first day of the period that ends on a date: the chosen one, or that of the year. */
export const beginOf = (chosen: string | undefined, date: string): string =>
  chosen && chosen <= date ? chosen : `${date.slice(0, 4)}-01-01`;
