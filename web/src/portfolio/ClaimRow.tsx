import type { Schema } from '~/api/client';
import { moment } from '~/format/dates';

/** A membership that the user gets later, because its address was changed. */
export function ClaimRow({ claim }: { claim: Schema<'WaitingClaim'> }) {
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1 max-[900px]:py-2">
      <span className="min-w-0 flex-1 max-[900px]:basis-full">
        <span className="font-medium">Membership in {claim.organization.name}</span>{' '}
        <span className="text-ink-2">
          your address was entered recently, so it begins at the first sign-in after {moment(claim.waitsUntil)}
        </span>
      </span>
    </li>
  );
}
