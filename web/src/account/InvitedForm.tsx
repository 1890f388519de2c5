import { type FormEvent, useState } from 'react';
import { api, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { Button } from '~/ui/Button';
import { namesOf } from './names';
import { passwordHelp } from './passwords';
import { Refusal } from './Refusal';
import { TextField } from './TextField';

type Props = {
  invitation: Schema<'OpenInvitation'>;
  token: string;
  /** Called after the account exists and its session has begun. */
  onRegistered: () => void;
  accepting: boolean;
};

/** Registers the invited person: the address and, if it is known, the name are filled in. The token verifies the address. */
export function InvitedForm({ invitation: { email = '', fullName }, token, onRegistered, accepting }: Props) {
  const known = namesOf(fullName);
  const [firstName, setFirstName] = useState(known.firstName);
  const [lastName, setLastName] = useState(known.lastName);
  const [password, setPassword] = useState('');
  const [accepted, setAccepted] = useState(false);
  const register = api.useMutation('post', '/user');
  const problem = register.error ? problemOf(register.error) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (register.isSuccess) return onRegistered(); // only the acceptance failed
    const body = { firstName, lastName, email, password, acceptedTerms: true as const, invitation: token };
    register.mutate({ body }, { onSuccess: onRegistered });
  };
  return (
    <form onSubmit={submit} aria-label="New account" className="flex flex-col gap-4" noValidate>
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
        autoComplete="username"
        readOnly
        problem={problem}
        value={email}
        onChange={() => undefined}
      />
      <TextField
        label="Choose a password"
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
        disabled={register.isPending || accepting || !accepted || !firstName || !lastName || !password}
      >
        {register.isPending || accepting ? 'Accepting…' : 'Accept'}
      </Button>
    </form>
  );
}
