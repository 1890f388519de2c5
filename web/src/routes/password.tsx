import { createFileRoute, redirect } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { AccountPage } from '~/account/AccountPage';
import { passwordHelp } from '~/account/passwords';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { api, queryClient } from '~/api/client';
import { Problem, problemOf } from '~/api/problem';
import { currentUser, useUser } from '~/shell/user';
import { Button } from '~/ui/Button';

export const Route = createFileRoute('/password')({
  beforeLoad: async () => {
    try {
      await queryClient.ensureQueryData(currentUser);
    } catch (thrown) {
      if (thrown instanceof Problem && thrown.status === 401) throw redirect({ to: '/login' });
      throw thrown;
    }
  },
  component: PasswordPage,
});

/** The choice of a password: after a temporary one, or at the wish of the user. */
function PasswordPage() {
  const user = useUser();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [endTokens, setEndTokens] = useState(false);
  const change = api.useMutation('post', '/user/password');
  const problem = change.error ? problemOf(change.error) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { password, endTokens, ...(!user.mustChangePassword && { currentPassword: current }) };
    change.mutate({ body }, { onSuccess: () => location.assign('/') });
  };
  return (
    <AccountPage title="Choose a password">
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        {!user.mustChangePassword && (
          <TextField
            label="Current password"
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            problem={problem}
            value={current}
            onChange={setCurrent}
          />
        )}
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          help={`${passwordHelp} All other sessions end.`}
          problem={problem}
          value={password}
          onChange={setPassword}
        />
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            name="endTokens"
            checked={endTokens}
            onChange={(event) => setEndTokens(event.target.checked)}
          />
          Also end API tokens and the access of connected programs
        </label>
        <Refusal problem={problem} />
        <Button type="submit" look="primary" className="justify-center" disabled={change.isPending || !password}>
          Save the password
        </Button>
      </form>
    </AccountPage>
  );
}
