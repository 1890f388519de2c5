import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api, queryClient } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useAddress } from '~/shell/address';
import { Button } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Banner } from '~/ui/Notice';

export const Route = createFileRoute('/login')({ component: Login });

function Login() {
  const [{ next }] = useAddress();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const login = api.useMutation('post', '/user/login');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate(
      { body: { email, password } },
      {
        onSuccess: () => {
          queryClient.clear();
          navigate({ href: next?.startsWith('/') && !next.startsWith('//') ? next : '/' });
        },
      },
    );
  };
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <form onSubmit={submit} className="panel flex w-full max-w-sm flex-col gap-4 p-8">
        <h1 className="text-xl font-semibold">Sign in</h1>
        <Field label="E-mail">
          {(parts) => (
            <Input
              {...parts}
              type="email"
              autoComplete="username"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label="Password">
          {(parts) => (
            <Input
              {...parts}
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {login.error && <Banner tone="bad">{problemOf(login.error).message}</Banner>}
        <Button type="submit" look="primary" disabled={login.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
