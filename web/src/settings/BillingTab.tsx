import { Refusal } from '~/account/Refusal';
import { api, client } from '~/api/client';
import { day } from '~/format/dates';
import { cents } from '~/format/figures';
import { words } from '~/format/words';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Failure } from '~/ui/Notice';
import { Facts } from '~/ui/Page';
import { State } from '~/ui/State';
import { nameOf, SubscriptionPlans } from './SubscriptionPlans';
import { useAction } from './useAction';

/** The subscription of the company. Payment methods and invoices are at the billing provider. */
export function BillingTab() {
  const { id: organization } = useCompany();
  const path = { organization };
  const subscription = api.useQuery(
    'get',
    '/organization/{organization}/subscription',
    { params: { path } },
    { retry: false },
  );
  const portal = useAction(async () => {
    const { data } = await client.POST('/organization/{organization}/subscription/portal', {
      params: { path },
    });
    location.assign((data as { url: string }).url);
  });
  if (subscription.isError)
    return <Failure what="The subscription" error={subscription.error} retry={subscription.refetch} />;
  const found = subscription.data;
  if (!found) return <div className="skeleton h-40" />;
  return (
    <>
      <Facts
        rows={
          found.status === 'none'
            ? [['Plan', `${words(found.plan)}, without a subscription`]]
            : [
                ['Plan', nameOf(found)],
                ['State', <State key="state" of={found.status} />],
                ['Billed shareholders', found.quantity.toString()],
                found.amount && (['Amount', cents(found.amount.amount, found.amount.currency)] as const),
                found.currentPeriodEnd !== undefined &&
                  ([found.cancelAtPeriodEnd ? 'Ends' : 'Renews', day(found.currentPeriodEnd)] as const),
                found.graceEndsAt !== undefined && (['Payment due until', day(found.graceEndsAt)] as const),
              ]
        }
      />
      <Refusal problem={portal.problem} />
      {found.status !== 'none' && (
        <Button className="mt-4" onClick={() => portal.mutate(undefined)}>
          Payment methods and invoices
        </Button>
      )}
      <SubscriptionPlans subscription={found} />
    </>
  );
}
