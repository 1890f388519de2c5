import { createFileRoute, Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { AccountPage } from '~/account/AccountPage';
import { enter } from '~/account/afterSignIn';
import { CodeField } from '~/account/CodeField';
import { Forgotten } from '~/account/Forgotten';
import { ProviderSignIn } from '~/account/ProviderSignIn';
import { Refusal } from '~/account/Refusal';
import { Resend } from '~/account/Resend';
import { TextField } from '~/account/TextField';
import { api, client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useAddress } from '~/shell/address';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';

export const Route = createFileRoute('/login')({ component: LoginPage });

const failures: Record<string, string> = {
  auth_failed: 'The identity provider did not confirm you. Sign in with your password, or try again.',
  two_factor_required: 'Your account has a second factor. Sign in with your password and a code.',
};

/** Signs in with a password and, if the account has one, with a second factor. */
function LoginPage() {
  const [address] = useAddress();
  const [email, setEmail] = useState(address.email ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const login = api.useMutation('post', '/user/login');
  const problem = login.error ? problemOf(login.error) : undefined;
  const second = problem?.key === 'invalidTwoFactorToken';
  const [asked, setAsked] = useState(address.error === 'two_factor_required');
  useEffect(() => {
    if (second) setAsked(true);
  }, [second]);
  useEffect(() => {
    // A redirect of the identity provider already has a session.
    if (address.authenticated !== 'true') return;
    client
      .GET('/user/current')
      .then(({ data }) => enter(data as Schema<'User'>, address))
      .catch(() => undefined);
  }, [address]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { email, password, ...(code && { twoFactorToken: code.replace(/\s/g, '') }) };
    login.mutate({ body }, { onSuccess: (user) => enter(user as Schema<'User'>, address) });
  };
  return (
    <AccountPage
      title="Sign in"
      footer={
        <>
          No account yet?{' '}
          <Link
            to="/register"
            search={{ invitation: address.invitation, email: address.email }}
            className="text-accent underline"
          >
            Register
          </Link>
        </>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        {address.error && <Banner tone="warn">{failures[address.error] ?? failures.auth_failed}</Banner>}
        {address.invitation && <Banner>Sign in or register to answer the invitation.</Banner>}
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoFocus={!email}
          problem={problem}
          value={email}
          onChange={setEmail}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          problem={problem}
          value={password}
          onChange={setPassword}
        />
        {asked && <CodeField value={code} onChange={setCode} />}
        {problem && !(second && !code) && <Refusal problem={problem} />}
        {problem?.key === 'emailNotVerified' && <Resend email={email} />}
        <Button
          type="submit"
          look="primary"
          className="justify-center"
          disabled={login.isPending || !email || !password}
        >
          {login.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
        <Forgotten email={email} />
      </form>
      <ProviderSignIn />
    </AccountPage>
  );
}
