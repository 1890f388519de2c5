import type { Schema } from '~/api/client';
import { isDecimal } from '~/decimal/decimal';
import { ratio } from '~/decimal/geometry';

/** The issued and the reserved part of the authorized shares, drawn as a bar. */
export function AuthorizedBar({ security, color }: { security: Schema<'Security'>; color: string }) {
  const { issued = '0', reserved = '0', authorizedShares } = security;
  if (!isDecimal(authorizedShares)) return <span className="text-ink-3">unlimited</span>;
  const width = (part: string) => `${Math.min(100, ratio(part, authorizedShares) * 100)}%`;
  return (
    <span className="flex h-1.5 w-full overflow-hidden rounded-full bg-active" aria-hidden>
      <span className="h-full" style={{ width: width(issued), background: color }} />
      <span className="h-full opacity-40" style={{ width: width(reserved), background: color }} />
    </span>
  );
}
