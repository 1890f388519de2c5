import { useState } from 'react';
import type { Schema } from '~/api/client';
import { quantity } from '~/format/figures';
import { sentence } from '~/format/sentence';
import { Button } from '~/ui/Button';
import { Section } from '~/ui/Page';

const step = 50; // claims

/** The terms of the claims. A company may have thousands of grants, so they are shown in steps. */
export function Claims({ claims }: { claims: Schema<'ExitClaim'>[] }) {
  const [most, setMost] = useState(step);
  const others = claims.length - most;
  return (
    <Section title="Terms">
      <ul className="flex flex-col gap-1 text-ink-2">
        {claims.slice(0, most).map((claim) => (
          <li key={claim.id + (claim.entity ?? '') + claim.terms}>
            <span className="font-medium text-ink">{claim.name}</span> {sentence(claim.terms)}
          </li>
        ))}
      </ul>
      {others > 0 && (
        <Button look="ghost" className="mt-2" onClick={() => setMost(most + step)}>
          Show {Math.min(step, others)} more of {quantity(claims.length.toString())} claims
        </Button>
      )}
    </Section>
  );
}
