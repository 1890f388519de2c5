import { createFileRoute, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { AccountPage } from '~/account/AccountPage';
import { placeAfter } from '~/account/afterSignIn';
import { TextField } from '~/account/TextField';
import { api } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useAddress } from '~/shell/address';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';

export const Route = createFileRoute('/verify')({ component: VerifyPage });

/**
 * The target of the link in a verification mail. Only its button verifies the address, because scanners of mails open
 * links. The browser that registered the account is signed in. Another one continues with the choice of a password.
 */
function VerifyPage() {
  const [address] = useAddress();
  const [code, setCode] = useState(address.code ?? '');
  const verify = api.useMutation('post', '/user/email/verify');
  const problem = verify.error ? problemOf(verify.error) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { code, choosePassword: true };
    verify.mutate(
      { body },
      {
        onSuccess: ({ signedIn, mustChangePassword = false }) =>
          signedIn && location.assign(placeAfter({ mustChangePassword }, address)),
      },
    );
  };
  if (verify.data && !verify.data.signedIn) {
    return (
      <AccountPage title="Address verified">
        <p>{verify.data.email} is verified.</p>
        <Link to="/login" search={{ email: verify.data.email }} className="btn btn-primary justify-center">
          Sign in
        </Link>
      </AccountPage>
    );
  }
  return (
    <AccountPage title="Verify your e-mail">
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        {!address.code && <TextField label="Code" name="code" help="From the mail." value={code} onChange={setCode} />}
        {problem && (
          <Banner tone="bad">
            {problem.status >= 500 || problem.status === 0
              ? problem.message
              : 'This link is invalid or has expired. Request another mail on the sign-in page.'}
          </Banner>
        )}
        <Button type="submit" look="primary" className="justify-center" disabled={verify.isPending || !code}>
          Verify the address
        </Button>
      </form>
    </AccountPage>
  );
}
