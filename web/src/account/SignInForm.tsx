import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { api, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import { CodeField } from './CodeField';
import { Forgotten } from './Forgotten';
import { Refusal } from './Refusal';
import { Resend } from './Resend';
import { TextField } from './TextField';

type Props = {
  email: string;
  /** Whether only the account with this address may sign in. */
  fixed?: boolean;
  /** Whether the code of the second factor is known to be required. */
  coded?: boolean;
  onEntered: (user: Schema<'User'>) => void;
  /** Notices above the fields. */
  children?: ReactNode;
};

/** The form of a sign-in with a password and, if the account has one, with a second factor. */
export function SignInForm({ email: given, fixed, coded = false, onEntered, children }: Props) {
  const [email, setEmail] = useState(given);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asked, setAsked] = useState(coded);
  const login = api.useMutation('post', '/user/login');
  const problem = login.error ? problemOf(login.error) : undefined;
  const second = problem?.key === 'invalidTwoFactorToken';
  useEffect(() => {
    if (second) setAsked(true);
  }, [second]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { email, password, ...(code && { twoFactorToken: code.replace(/\s/g, '') }) };
    login.mutate({ body }, { onSuccess: (user) => onEntered(user as Schema<'User'>) });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {children}
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        autoFocus={!email}
        readOnly={fixed}
        problem={problem}
        value={email}
        onChange={setEmail}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus={fixed}
        problem={problem}
        value={password}
        onChange={setPassword}
      />
      {asked && <CodeField value={code} onChange={setCode} />}
      <Button type="submit" look="primary" className="justify-center" disabled={login.isPending || !email || !password}>
        {login.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
      {problem?.key === 'invalidCredentials' ? (
        <Banner tone="bad">The e-mail address or the password is wrong. Check both, and try again.</Banner>
      ) : (
        !(second && !code) && <Refusal problem={problem} />
      )}
      {problem?.key === 'emailNotVerified' && <Resend email={email} />}
      <Forgotten email={email} />
    </form>
  );
}
