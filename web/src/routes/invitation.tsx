import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { AccountPage } from '~/account/AccountPage';
import { InvitedForm } from '~/account/InvitedForm';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { moment } from '~/format/dates';
import { useAddress } from '~/shell/address';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';

export const Route = createFileRoute('/invitation')({ component: InvitationPage });

/**
 * The target of the link in an invitation. Only the buttons answer it. A person without an account chooses a password here, because the
 * link proves the address.
 */
function InvitationPage() {
  const [{ token = '' }] = useAddress();
  const body = { token };
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await client.POST('/invitation/read', { body })).data as Schema<'OpenInvitation'>,
    retry: false,
  });
  const accept = useMutation({
    mutationFn: async () => (await client.POST('/invitation/accept', { body })).data as Schema<'UserOrganization'>,
    onSuccess: (joined) => location.assign(`/company/${joined.id}`),
    onError: (thrown) => {
      if (problemOf(thrown).status !== 401) return;
      const email = invitation.data?.registered ? invitation.data.email : undefined;
      location.assign(`/login?${new URLSearchParams({ invitation: token, ...(email && { email }) })}`);
    },
  });
  const decline = useMutation({ mutationFn: () => client.POST('/invitation/decline', { body }) });
  const refused = accept.error ?? decline.error;
  if (decline.isSuccess) {
    return (
      <AccountPage title="Invitation declined">
        <p>The company is informed. You can close this page.</p>
      </AccountPage>
    );
  }
  if (invitation.isError) {
    return (
      <AccountPage title="Invitation">
        <Banner tone="bad">
          {problemOf(invitation.error).status === 404
            ? 'This invitation has expired, was withdrawn, or is answered already.'
            : problemOf(invitation.error).message}
        </Banner>
        <Link to="/" className="text-accent underline">
          Home
        </Link>
      </AccountPage>
    );
  }
  if (!invitation.data) {
    return (
      <AccountPage title="Invitation">
        <div className="skeleton h-16" />
      </AccountPage>
    );
  }
  const { organization, roles, expiresAt, email, registered } = invitation.data;
  const newcomer = email !== undefined && !registered;
  return (
    <AccountPage title={organization.name}>
      <p>
        You are invited to join {organization.name}
        {roles.length > 0 && ` as ${roles.join(', ')}`}.
      </p>
      <p className="text-ink-3">Answer until {moment(expiresAt)}.</p>
      {newcomer && (
        <InvitedForm
          invitation={invitation.data}
          token={token}
          accepting={accept.isPending}
          onRegistered={() => accept.mutate()}
        />
      )}
      {refused && problemOf(refused).status !== 401 && <Banner tone="bad">{problemOf(refused).message}</Banner>}
      <div className="flex flex-wrap gap-3">
        <Button look={newcomer ? undefined : 'primary'} disabled={accept.isPending} onClick={() => accept.mutate()}>
          {newcomer ? 'Accept with another account' : 'Accept'}
        </Button>
        <Button disabled={decline.isPending} onClick={() => decline.mutate()}>
          Decline
        </Button>
      </div>
    </AccountPage>
  );
}
