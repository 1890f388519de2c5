import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '~/account/AccountPage';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { moment } from '~/format/dates';
import { useAddress } from '~/shell/address';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';

export const Route = createFileRoute('/address')({ component: AddressPage });

const title = 'Changed address';

/** The target of the link in the mail to the former address of a holder. Only the button confirms the change. */
function AddressPage() {
  const [{ token = '' }] = useAddress();
  const body = { token };
  const change = useQuery({
    queryKey: ['address', token],
    queryFn: async () => (await client.POST('/address/read', { body })).data as Schema<'AddressChangeNotice'>,
    retry: false,
  });
  const confirm = useMutation({ mutationFn: () => client.POST('/address/confirm', { body }) });
  if (confirm.isSuccess) {
    return (
      <AccountPage title={title}>
        <p>The change is confirmed. The new address can be used now, and you can close this page.</p>
      </AccountPage>
    );
  }
  if (change.isError) {
    return (
      <AccountPage title={title}>
        <Banner tone="bad">
          {problemOf(change.error).status === 404
            ? 'This change was confirmed already, or needs no confirmation.'
            : problemOf(change.error).message}
        </Banner>
      </AccountPage>
    );
  }
  if (!change.data) {
    return (
      <AccountPage title={title}>
        <div className="skeleton h-16" />
      </AccountPage>
    );
  }
  const { organization, holder, waitsUntil } = change.data;
  return (
    <AccountPage title={title}>
      <p>
        {organization.name} changed the e-mail address of {holder}. The new address can act as {holder} from{' '}
        {moment(waitsUntil)}, or at once if you confirm it.
      </p>
      <p className="text-ink-3">If the change is wrong, do not confirm it, and write to {organization.name} now.</p>
      {confirm.error && <Banner tone="bad">{problemOf(confirm.error).message}</Banner>}
      <Button look="primary" className="justify-center" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm the change
      </Button>
    </AccountPage>
  );
}
