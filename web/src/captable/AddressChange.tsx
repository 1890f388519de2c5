import { useState } from 'react';
import { TextField } from '~/account/TextField';
import { client, type Schema } from '~/api/client';
import { moment } from '~/format/dates';
import { useAction } from '~/settings/useAction';
import { useCompany } from '~/shell/company';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';

/** The waiting claim of a holder whose address was changed. An Owner confirms the address with a second factor. */
export function AddressChange({ member }: { member: Schema<'Member'> }) {
  const company = useCompany();
  const owner = useUser().organizations?.some(({ id, roles }) => id === company.id && roles?.includes('Owner'));
  const [code, setCode] = useState<string>();
  const params = { path: { organization: company.id, member: member.id } };
  const confirm = useAction(async () => {
    if (code) await client.POST('/user/2fa/verify', { body: { token: code.replace(/\s/g, '') } });
    await client.POST('/organization/{organization}/member/{member}/address/confirm', { params });
  }, 'Address confirmed');
  const until = member.addressChange?.waitsUntil;
  if (member.user || !until || new Date(until) <= new Date()) return null;
  const needsCode = confirm.problem?.code === 'secondFactorRequired' || code !== undefined;
  return (
    <Banner tone="warn">
      <p>
        The e-mail address was changed on {moment(member.addressChange?.changedAt ?? until)}. Its reader can become this
        holder from {moment(until)}, or earlier if the former address or an Owner confirms the change.
      </p>
      {owner && (
        <div className="mt-3 flex max-w-sm flex-col gap-3">
          {needsCode && (
            <TextField
              label="Code of your second factor"
              name="token"
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code ?? ''}
              onChange={setCode}
            />
          )}
          {confirm.problem && <p className="text-neg">{confirm.problem.message}</p>}
          <Button className="self-start" disabled={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
            Confirm the address
          </Button>
        </div>
      )}
    </Banner>
  );
}
