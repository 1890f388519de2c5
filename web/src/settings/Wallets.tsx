import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { api, client } from '~/api/client';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Loaded } from '~/ui/Loaded';
import { Facts } from '~/ui/Page';
import { Unsaved } from '~/ui/Unsaved';
import { useAction } from './useAction';

/** The wallets of the user, and the form of a new one. */
export function Wallets() {
  const { entity } = useUser();
  const wallets = api.useQuery('get', '/entity/{entity}/wallet', { params: { path: { entity } } });
  const remove = useAction(
    (address: string) => client.DELETE('/entity/{entity}/wallet/{address}', { params: { path: { entity, address } } }),
    'Wallet removed',
  );
  return (
    <>
      <Refusal problem={remove.problem} />
      <Loaded what="The wallets" query={wallets}>
        {({ data }) => (
          <Facts
            rows={data.map((wallet) => [
              wallet.label || wallet.network,
              <span key={wallet.id} className="flex items-center justify-end gap-3">
                <code className="num min-w-0 text-xs break-all">{wallet.address}</code>
                <ConfirmButton
                  danger
                  label="Remove"
                  consequence="The address is removed here. The wallet and the network are not affected."
                  onConfirm={() => remove.mutate(wallet.id)}
                />
              </span>,
            ])}
          />
        )}
      </Loaded>
      <WalletForm />
    </>
  );
}

function WalletForm() {
  const { entity } = useUser();
  const [address, setAddress] = useState('');
  const [network, setNetwork] = useState('ethereum');
  const add = useAction(() => client.POST('/wallet', { body: { address, network, entity } }), 'Wallet added');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined, { onSuccess: () => setAddress('') });
  };
  return (
    <form onSubmit={submit} className="mt-4 flex max-w-md flex-col gap-3">
      <Unsaved changed={() => address !== ''} />
      <TextField label="Network" name="network" problem={add.problem} value={network} onChange={setNetwork} />
      <TextField label="Address" name="address" problem={add.problem} value={address} onChange={setAddress} />
      <Refusal problem={add.problem} />
      <div>
        <Button type="submit" disabled={!address}>
          Add the wallet
        </Button>
      </div>
    </form>
  );
}
