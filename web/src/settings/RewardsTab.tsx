import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { api, client } from '~/api/client';
import { moment } from '~/format/dates';
import { quantity } from '~/format/figures';
import { words } from '~/format/words';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Facts, Section } from '~/ui/Page';
import { Table } from '~/ui/Table';
import { CreditForm } from './CreditForm';
import { ReferCompanyForm } from './ReferCompanyForm';
import { useAction } from './useAction';

/** The wallets, the referral link, the reward cards and the credit of the user. */
export function RewardsTab() {
  const { entity } = useUser();
  const params = { path: { entity } };
  const wallets = api.useQuery('get', '/entity/{entity}/wallet', { params });
  const referral = api.useQuery('get', '/referral/{entity}', { params }, { retry: false });
  const cards = api.useQuery('get', '/card', {});
  const history = api.useQuery('get', '/entity/{entity}/history', { params });
  const reveal = useAction((rewardId: string) => client.POST('/reward', { body: { rewardId } }), 'Card revealed');
  return (
    <>
      {referral.data && (
        <Section title="Referral">
          <Facts
            rows={[
              [
                'Link',
                <code key="link" className="num break-all">
                  {referral.data.link}
                </code>,
              ],
              ['Joined', `${referral.data.joined} of ${referral.data.referred}`],
              ['Credit', quantity(String(referral.data.credit))],
            ]}
          />
        </Section>
      )}
      <Section title="Reward cards">
        <ul className="flex flex-wrap gap-3">
          {(cards.data?.data ?? []).map((card) => (
            <li key={card.id} className="flex flex-col gap-2 rounded-[7px] border border-line p-4">
              <span className="font-medium">{words(card.kind)}</span>
              {card.revealed ? (
                <span className="num text-lg">{quantity(String(card.value ?? '0'))}</span>
              ) : (
                <Button onClick={() => reveal.mutate(card.id)}>Reveal</Button>
              )}
            </li>
          ))}
        </ul>
        {cards.data?.data.length === 0 && <p className="text-ink-3">No cards yet.</p>}
        <Refusal problem={reveal.problem} />
        <ReferCompanyForm />
      </Section>
      <Section title="Credit">
        <Table
          label="Credit"
          rows={history.data?.data ?? []}
          rowKey={(row) => row.id}
          columns={[
            { header: 'Kind', cell: (row) => words(row.kind) },
            {
              header: 'Amount',
              figure: true,
              cell: (row) => `${row.fromEntity === entity ? '−' : ''}${quantity(String(row.amount))}`,
            },
            { header: 'Recorded', cell: (row) => <span className="num">{moment(row.recordedAt)}</span> },
          ]}
        />
        <p className="mt-3 text-ink-3">
          Your entity is <code className="num break-all">{entity}</code>.
        </p>
        <CreditForm />
      </Section>
      <Section title="Wallets">
        <Facts
          rows={(wallets.data?.data ?? []).map((wallet) => [
            wallet.label || wallet.network,
            <code key={wallet.id} className="num text-xs break-all">
              {wallet.address}
            </code>,
          ])}
        />
        <WalletForm />
      </Section>
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
