import { useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '~/api/client';
import { useList } from '~/api/list';
import { notify } from '~/ui/notify';
import { Section } from '~/ui/Page';
import { Step } from './Step';

const interval = 10_000;

/** The changes that programs requested with tokens of the user and that wait for a decision. Without any, it shows nothing. */
export function WaitingSteps({ tokens }: { tokens: Schema<'APIToken'>[] }) {
  const queries = useQueryClient();
  const status = api.useQuery('get', '/agent/status', {}, { staleTime: Number.POSITIVE_INFINITY });
  const steps = useList('/agent/step', {}, status.data?.enabled === true, interval);
  const waiting = steps.rows.filter((step) => step.token);
  if (waiting.length === 0) return null;
  return (
    <Section title="Changes that wait for you" detail={String(waiting.length)}>
      <div className="flex max-w-xl flex-col gap-3">
        {waiting.map((step) => (
          <div key={step.stepId}>
            <p className="mb-1 text-ink-3">
              Requested with the token {tokens.find((token) => token.id === step.token)?.name ?? step.token}
            </p>
            <Step
              step={step}
              plain
              onDecided={(decided) => {
                notify({ title: decided.response ?? 'Decided' });
                queries.invalidateQueries({ queryKey: ['get', '/agent/step'] });
              }}
            />
          </div>
        ))}
      </div>
    </Section>
  );
}
