import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { api, client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { day } from '~/format/dates';
import { amountCell } from '~/format/figures';
import { words } from '~/format/words';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Field } from '~/ui/Field';
import { Loaded } from '~/ui/Loaded';
import { Banner } from '~/ui/Notice';
import { Facts } from '~/ui/Page';
import { Select } from '~/ui/Select';
import { useAction } from './useAction';

type Subscription = Schema<'Subscription'>;
type Terms = Pick<Schema<'NewSubscription'>, 'plan' | 'interval'>;

const intervals = { month: 'monthly', year: 'yearly' } as const;

/** Returns the name of a plan with its interval. */
export const nameOf = ({ plan, interval }: { plan: Terms['plan']; interval?: Terms['interval'] | undefined }) =>
  `${words(plan)}, ${intervals[interval ?? 'month']}`;

/** The offered plans with the price of a change, and the cancellation of the present one. */
export function SubscriptionPlans({ subscription }: { subscription: Subscription }) {
  const { id: organization } = useCompany();
  const products = api.useQuery('get', '/billing/product', {});
  const [chosen, setChosen] = useState<Terms>();
  const path = { organization };
  const subscribe = useAction(async (terms: Terms) => {
    const { data } = await client.POST('/organization/{organization}/subscription', {
      params: { path },
      body: { ...terms, returnUrl: location.href },
    });
    if (data && 'checkout' in data && data.checkout) location.assign(data.checkout.url);
  }, 'Subscription changed');
  const cancel = useAction(
    (id: string) =>
      client.DELETE('/organization/{organization}/subscription/{subscription}', {
        params: { path: { ...path, subscription: id } },
      }),
    'Subscription cancelled',
  );
  const { id, plan, interval, currentPeriodEnd } = subscription;
  const running = id !== undefined && subscription.status !== 'cancelled' && subscription.status !== 'none';
  const isPresent = (terms: Terms) => running && terms.plan === plan && terms.interval === interval;
  return (
    <section aria-label="Plans" className="mt-6 flex max-w-md flex-col gap-3">
      <Loaded what="The plans" query={products}>
        {({ data }) => {
          const offers: Terms[] = data.flatMap((product) =>
            product.prices.map((price) => ({ plan: product.plan, interval: price.interval })),
          );
          const others = offers.filter((terms) => !isPresent(terms));
          return (
            <Field label={running ? 'Change the plan' : 'Choose a plan'}>
              {(parts) => (
                <Select
                  {...parts}
                  optional
                  choices={others.map((terms) => ({ value: nameOf(terms), label: nameOf(terms) }))}
                  value={chosen && nameOf(chosen)}
                  onChange={(name) => setChosen(others.find((terms) => nameOf(terms) === name))}
                />
              )}
            </Field>
          );
        }}
      </Loaded>
      {chosen && <Price terms={chosen} />}
      <Refusal problem={subscribe.problem ?? cancel.problem} />
      <div className="flex flex-wrap gap-2">
        {chosen && (
          <Button look="primary" disabled={subscribe.isPending} onClick={() => subscribe.mutate(chosen)}>
            {running ? 'Change to' : 'Subscribe to'} {nameOf(chosen)}
          </Button>
        )}
        {running && subscription.cancelAtPeriodEnd && (
          <Button
            disabled={subscribe.isPending}
            onClick={() => subscribe.mutate({ plan, interval: interval ?? 'month' })}
          >
            Keep the subscription
          </Button>
        )}
        {running && !subscription.cancelAtPeriodEnd && (
          <ConfirmButton
            danger
            label="Cancel the subscription"
            consequence={
              currentPeriodEnd
                ? `It ends with the paid period on ${day(currentPeriodEnd)}. Until then it can be resumed.`
                : 'It ends with the paid period. Until then it can be resumed.'
            }
            onConfirm={() => cancel.mutate(id)}
          />
        )}
      </div>
    </section>
  );
}

/** The amounts that a plan would cost. */
function Price({ terms }: { terms: Terms }) {
  const { id: organization } = useCompany();
  const price = useQuery({
    queryKey: ['post', '/organization/{organization}/subscription/preview', organization, terms],
    queryFn: async ({ signal }) => {
      const params = { path: { organization } };
      const { data } = await client.POST('/organization/{organization}/subscription/preview', {
        params,
        body: terms,
        signal,
      });
      return data;
    },
    retry: false,
  });
  if (price.error) return <Banner tone="bad">{problemOf(price.error).message}</Banner>;
  if (!price.data) return <div className="skeleton h-20" />;
  return (
    <Facts
      rows={[
        ['Due now', amountCell(price.data.dueNow)],
        ['Due at each renewal', amountCell(price.data.dueAtRenewal)],
      ]}
    />
  );
}
