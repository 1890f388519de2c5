import { useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { client } from '~/api/client';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Part } from '~/ui/Part';
import { useAction } from './useAction';

/** The download of all data of the user, and their erasure. */
export function DataTab() {
  const user = useUser();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const erase = useAction(async () => {
    await client.POST('/user/erase', { body: { email, password, ...(code && { twoFactorToken: code }) } });
    location.assign('/login');
  });
  return (
    <>
      <Part title="Your data" help="All that is stored about you, as one file.">
        <a href="/v1/user/data" download="data.json" className="btn btn-outline">
          Download your data
        </a>
      </Part>
      <Part
        title="Erase the account"
        help="Your personal data are erased for good. Records of companies keep what the law requires, without your contact data."
      >
        <div className="flex max-w-md flex-col gap-4">
          <TextField
            label={`Type ${user.email} to confirm`}
            name="email"
            problem={erase.problem}
            value={email}
            onChange={setEmail}
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            problem={erase.problem}
            value={password}
            onChange={setPassword}
          />
          {user.twoFactorEnabled && (
            <TextField label="Code" name="twoFactorToken" problem={erase.problem} value={code} onChange={setCode} />
          )}
          <Refusal problem={erase.problem} />
          <div>
            <Button look="danger" disabled={email !== user.email || !password} onClick={() => erase.mutate(undefined)}>
              Erase the account
            </Button>
          </div>
        </div>
      </Part>
    </>
  );
}
