import { createFileRoute, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { AccountPage } from '~/account/AccountPage';
import { enter } from '~/account/afterSignIn';
import { DemoSignIn } from '~/account/DemoSignIn';
import { ProviderSignIn } from '~/account/ProviderSignIn';
import { SignInForm } from '~/account/SignInForm';
import { api, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useAddress } from '~/shell/address';
import { Banner } from '~/ui/Notice';

export const Route = createFileRoute('/login')({ component: LoginPage });

const failures: Record<string, string> = {
  auth_failed: 'The identity provider did not confirm you. Sign in with your password, or try again.',
  two_factor_required: 'Your account has a second factor. Sign in with your password and a code.',
};

/** Signs in with a password and, if the account has one, with a second factor. */
function LoginPage() {
  const [address] = useAddress();
  // A browser with a session goes on to the app, also after a redirect of the identity provider.
  const state = api.useQuery('get', '/user/sign-in', {}, { retry: false });
  const user = state.data?.user;
  const mustChoose = state.error !== null && problemOf(state.error).status === 403;
  useEffect(() => {
    if (address.error) return; // it is shown first
    if (user) enter(user as Schema<'User'>, address);
    if (mustChoose) location.assign('/password');
  }, [user, mustChoose, address]);
  return (
    <AccountPage
      title="Sign in"
      about="Cap tables, grants and rounds of your companies, with the reason of every figure."
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
      <SignInForm
        email={address.email ?? ''}
        coded={address.error === 'two_factor_required'}
        onEntered={(user) => enter(user, address)}
      >
        {address.error && <Banner tone="warn">{failures[address.error] ?? failures.auth_failed}</Banner>}
        {address.invitation && <Banner>Sign in or register to answer the invitation.</Banner>}
      </SignInForm>
      <ProviderSignIn />
      <DemoSignIn onEntered={(user) => enter(user, address)} />
    </AccountPage>
  );
}
