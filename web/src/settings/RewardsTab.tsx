import { Refusal } from '~/account/Refusal';
import { api, client } from '~/api/client';
import { moment } from '~/format/dates';
import { quantity } from '~/format/figures';
import { words } from '~/format/words';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Loaded } from '~/ui/Loaded';
import { Facts } from '~/ui/Page';
import { Part } from '~/ui/Part';
import { Table } from '~/ui/Table';
import { CreditForm } from './CreditForm';
import { ReferCompanyForm } from './ReferCompanyForm';
import { useAction } from './useAction';
import { Wallets } from './Wallets';

/** The wallets, the referral link, the reward cards and the credit of the user. */
export function RewardsTab() {
  const { entity } = useUser();
  const params = { path: { entity } };
  const referral = api.useQuery('get', '/referral/{entity}', { params }, { retry: false });
  const cards = api.useQuery('get', '/card', {});
  const history = api.useQuery('get', '/entity/{entity}/history', { params });
  const reveal = useAction((rewardId: string) => client.POST('/reward', { body: { rewardId } }), 'Card revealed');
  return (
    <>
      {referral.isPending && <div className="skeleton unsized h-40" />}
      {referral.data && (
        <Part title="Referral" help="Your link for other companies, and the credit from it.">
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
        </Part>
      )}
      <Part title="Reward cards" help="Cards that you earned. Each shows its value when you reveal it.">
        <Loaded what="The reward cards" query={cards}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="text-ink-3">No cards yet.</p>
            ) : (
              <ul className="flex flex-wrap gap-3">
                {data.map((card) => (
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
            )
          }
        </Loaded>
        <Refusal problem={reveal.problem} />
        <ReferCompanyForm />
      </Part>
      <Part title="Credit" help="Credit can be sent to other people and companies.">
        <Loaded what="The credit" query={history}>
          {({ data }) => (
            <Table
              label="Credit"
              empty="No credit yet."
              rows={data}
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
          )}
        </Loaded>
        <p className="mt-3 text-ink-3">Others need your number to send you credit.</p>
        <Facts
          rows={[
            [
              'Your number',
              <code key="number" className="num break-all">
                {entity}
              </code>,
            ],
          ]}
        />
        <CreditForm />
      </Part>
      <Part title="Wallets" help="Your addresses on other networks.">
        <Wallets />
      </Part>
    </>
  );
}
