import { useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { client, type Schema } from '~/api/client';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import { Part } from '~/ui/Part';
import { useAction } from './useAction';

/** The second factor of the user: a proposal with its QR code, the recovery codes, and the end of it. */
export function SecondFactorTab() {
  const user = useUser();
  const [code, setCode] = useState('');
  const [proposal, setProposal] = useState<Schema<'TwoFactorProposal'>>();
  const [codes, setCodes] = useState<string[]>([]);
  const token = { token: code.replace(/\s/g, '') };
  const propose = useAction(async () =>
    setProposal((await client.GET('/user/2fa', {})).data as Schema<'TwoFactorProposal'>),
  );
  const enable = useAction(async () => {
    const { data } = await client.POST('/user/2fa', { body: token });
    setCodes((data as Schema<'RecoveryCodes'>).recoveryCodes);
    setProposal(undefined);
    setCode('');
  }, 'Second factor enabled');
  const disable = useAction(async () => {
    await client.POST('/user/2fa/disable', { body: token });
    setCode('');
    setCodes([]);
  }, 'Second factor disabled');
  const renew = useAction(async () => {
    const { data } = await client.POST('/user/2fa/recovery', { body: token });
    setCodes((data as Schema<'RecoveryCodes'>).recoveryCodes);
    setCode('');
  }, 'New recovery codes');
  const field = (problem: typeof enable.problem) => (
    <TextField
      label="Code"
      name="token"
      inputMode="numeric"
      autoComplete="one-time-code"
      problem={problem}
      value={code}
      onChange={setCode}
    />
  );
  return (
    <Part
      title="Second factor"
      help="A code of an authenticator app, beside your password. It protects your account even if somebody knows the password."
    >
      <div className="flex max-w-md flex-col gap-4">
        {codes.length > 0 && (
          <Banner tone="good">
            Recovery codes, shown only now. Each replaces a code once:
            <code className="num mt-2 grid grid-cols-2 gap-1">
              {codes.map((one) => (
                <span key={one}>{one}</span>
              ))}
            </code>
          </Banner>
        )}
        {user.twoFactorEnabled ? (
          <>
            <p>Signing in needs a code of your authenticator app.</p>
            {field(disable.problem ?? renew.problem)}
            <Refusal problem={disable.problem ?? renew.problem} />
            <div className="flex gap-2">
              <Button disabled={!code} onClick={() => renew.mutate(undefined)}>
                New recovery codes
              </Button>
              <Button className="text-neg" disabled={!code} onClick={() => disable.mutate(undefined)}>
                Disable
              </Button>
            </div>
          </>
        ) : proposal ? (
          <>
            <p>Scan the picture with your authenticator app, or enter the secret. Then type the code that it shows.</p>
            <img
              src={proposal.qrCode}
              alt="QR code of the secret"
              className="size-44 rounded-[7px] border border-line bg-white p-2"
            />
            <code className="num break-all">{proposal.secret}</code>
            {field(enable.problem)}
            <Refusal problem={enable.problem} />
            <div>
              <Button look="primary" disabled={!code || enable.isPending} onClick={() => enable.mutate(undefined)}>
                Enable
              </Button>
            </div>
          </>
        ) : (
          <>
            <p>Your account has no second factor yet.</p>
            <Refusal problem={propose.problem} />
            <div>
              <Button look="primary" onClick={() => propose.mutate(undefined)}>
                Set up a second factor
              </Button>
            </div>
          </>
        )}
      </div>
    </Part>
  );
}
