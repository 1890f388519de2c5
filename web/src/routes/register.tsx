import { createFileRoute, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { AccountPage } from '~/account/AccountPage';
import { passwordHelp } from '~/account/passwords';
import { Refusal } from '~/account/Refusal';
import { Resend } from '~/account/Resend';
import { TextField } from '~/account/TextField';
import { api } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useAddress } from '~/shell/address';
import { Button } from '~/ui/Button';

export const Route = createFileRoute('/register')({ component: RegisterPage });

/** Creates an account. Its address is verified by a mail. */
function RegisterPage() {
  const [address] = useAddress();
  const [firstName, setFirstName] = useState(address.firstName ?? '');
  const [lastName, setLastName] = useState(address.lastName ?? '');
  const [email, setEmail] = useState(address.email ?? '');
  const [password, setPassword] = useState('');
  const [accepted, setAccepted] = useState(false);
  const register = api.useMutation('post', '/user');
  const problem = register.error ? problemOf(register.error) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    register.mutate({
      body: {
        firstName,
        lastName,
        email,
        password,
        acceptedTerms: true,
        ...(address.code && { referralCode: address.code }),
      },
    });
  };
  if (register.isSuccess) {
    return (
      <AccountPage title="Check your mail">
        <p>
          A mail was sent to {email}. Open its link to verify the address.
          {address.invitation && ' Then open the link of your invitation again.'}
        </p>
        <Resend email={email} />
      </AccountPage>
    );
  }
  return (
    <AccountPage
      title="Register"
      footer={
        <>
          You have an account?{' '}
          <Link to="/login" search={{ invitation: address.invitation }} className="text-accent underline">
            Sign in
          </Link>
        </>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        <TextField
          label="First name"
          name="firstName"
          autoComplete="given-name"
          problem={problem}
          value={firstName}
          onChange={setFirstName}
        />
        <TextField
          label="Last name"
          name="lastName"
          autoComplete="family-name"
          problem={problem}
          value={lastName}
          onChange={setLastName}
        />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="email"
          problem={problem}
          value={email}
          onChange={setEmail}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          help={passwordHelp}
          problem={problem}
          value={password}
          onChange={setPassword}
        />
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-0.5 size-4 accent-(--accent)"
            checked={accepted}
            onChange={(event) => setAccepted(event.target.checked)}
          />
          I accept the terms of this service.
        </label>
        <Refusal problem={problem} />
        <Button
          type="submit"
          look="primary"
          className="justify-center"
          disabled={register.isPending || !accepted || !email || !password}
        >
          {register.isPending ? 'Registering…' : 'Register'}
        </Button>
      </form>
    </AccountPage>
  );
}
