import { createFileRoute } from '@tanstack/react-router';
import { api } from '~/api/client';
import { Describe } from '~/onboarding/Describe';
import { EmptyCompany } from '~/onboarding/EmptyCompany';
import { Plan } from '~/onboarding/Plan';
import { useAddress } from '~/shell/address';
import { Page, Section } from '~/ui/Page';

export const Route = createFileRoute('/_user/start')({ component: Start });

/** A new company: described in words or by a file, planned, corrected, and built. */
function Start() {
  const [{ plan }, setAddress] = useAddress();
  const agent = api.useQuery('get', '/agent/status', {});
  return (
    <Page title="New company" subtitle={plan ? 'Check the plan. Nothing is recorded before you build it.' : undefined}>
      <div className="border-t border-line pt-6">
        {plan ? (
          <Plan id={plan} onAgain={() => setAddress({ plan: undefined })} />
        ) : agent.isPending ? (
          <div className="skeleton h-80" />
        ) : (
          <>
            {agent.data?.enabled && <Describe onBegun={(id) => setAddress({ plan: id }, true)} />}
            <div className="mt-8">
              <Section title={agent.data?.enabled ? 'Or begin without a plan' : 'Begin'}>
                <EmptyCompany />
              </Section>
            </div>
          </>
        )}
      </div>
    </Page>
  );
}
