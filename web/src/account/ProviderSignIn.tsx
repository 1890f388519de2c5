import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { api } from '~/api/client';
import { problemOf } from '~/api/problem';
import { parseSearch } from '~/shell/address';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import { enter } from './afterSignIn';
import { CodeField } from './CodeField';
import { type Answer, openProvider, providerName, signInWithToken, takeAnswer } from './identityProvider';
import { Refusal } from './Refusal';

/** The button of the identity provider, and the rest of the sign-in after the provider has returned the browser. */
export function ProviderSignIn() {
  const provider = api.useQuery('get', '/user/idp-auth', {}, { retry: false, staleTime: Number.POSITIVE_INFINITY });
  const [answer] = useState(takeAnswer);
  const url = provider.data?.signInUrl;
  return (
    <>
      {answer?.token && <TokenSignIn {...answer} />}
      {answer?.token === '' && <Banner tone="warn">The identity provider did not confirm you. Try again.</Banner>}
      {url && (
        <Button className="justify-center" onClick={() => openProvider(url)}>
          Continue with {providerName(url)}
        </Button>
      )}
    </>
  );
}

/** Signs in with the token of the provider, and asks for a code if the account has a second factor. */
function TokenSignIn({ token, query }: Answer) {
  const [code, setCode] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: (given: string) => signInWithToken(token, given),
    onSuccess: (user) => enter(user, parseSearch(query)),
  });
  const problem = error ? problemOf(error) : undefined;
  const [asked, setAsked] = useState(false);
  useEffect(() => mutate(''), [mutate]);
  useEffect(() => {
    if (problem?.key === 'invalidTwoFactorToken') setAsked(true);
  }, [problem?.key]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(code);
  };
  if (!asked) return problem ? <Refusal problem={problem} /> : <p className="text-ink-2">Signing in…</p>;
  return (
    <form onSubmit={submit} aria-label="Second factor" className="flex flex-col gap-4" noValidate>
      <CodeField value={code} onChange={setCode} />
      {problem && code && <Refusal problem={problem} />}
      <Button type="submit" look="primary" className="justify-center" disabled={isPending || !code}>
        Continue
      </Button>
    </form>
  );
}
