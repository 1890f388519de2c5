import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useDay } from '~/day/day';
import { moment } from '~/format/dates';
import { Details } from '~/posting/Details';
import { Effect } from '~/posting/Effect';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import { State } from '~/ui/State';
import { Recorded } from './Recorded';

type Decided = Schema<'AgentDecided'>;

type Props = {
  step: Schema<'AgentStep'>;
  /** Whether the step is outside the pages of its company: without the events of its preview and the link to its result. */
  plain?: boolean;
  onDecided?: (decided: Decided) => void;
};

/** A proposed change with all its arguments, its preview and the buttons to decide about it. */
export function Step({ step: proposed, plain, onDecided }: Props) {
  const [step, setStep] = useState(proposed);
  const [decided, setDecided] = useState<Decided>();
  const { past } = useDay();
  const queries = useQueryClient();
  const decide = useMutation({
    mutationFn: async (confirmed: boolean) =>
      (await client.POST('/agent/confirm', { body: { stepId: step.stepId, confirmed } })).data as Decided,
    onSuccess: (answer) => {
      setDecided(answer);
      if (answer.next) setStep(answer.next);
      onDecided?.(answer);
      if (answer.status === 'executed') queries.invalidateQueries();
    },
  });
  const status = decided?.status ?? 'pending';
  const taken = status === 'taken';
  const open =
    status === 'pending' ||
    status === 'confirmedOnce' ||
    taken ||
    (status === 'superseded' && decided?.next !== undefined);
  const again = status === 'confirmedOnce';
  const preview = step.preview as Partial<Schema<'Preview'>>;
  return (
    <section aria-label={step.title} className="rounded-[10px] border border-line-strong p-3">
      <header className="mb-2 flex items-center gap-2">
        <h3 className="mr-auto font-medium">{step.title}</h3>
        <State of={status} />
      </header>
      {status === 'superseded' && (
        <Banner tone="warn">The company changed in the meantime. This is the new preview.</Banner>
      )}
      {preview.details ? <Details details={preview.details} /> : <Terms step={step} />}
      {!plain && preview.events && preview.events.length > 0 && (
        <Effect preview={preview as Schema<'Preview'>} busy={false} waiting={false} />
      )}
      {decided?.response && (!open || taken) && <p className="mt-2 text-ink-2">{decided.response}</p>}
      {decide.error && <Banner tone="bad">{problemOf(decide.error).message}</Banner>}
      {status === 'executed' && !plain && <Recorded step={step} answer={decided?.result?.body ?? {}} />}
      {open && past && <p className="mt-2 text-ink-3">Changes are off on a past day.</p>}
      {open && !past && (
        <footer className="mt-3 flex flex-wrap items-center gap-2">
          <Button
            look={step.class === 'destructive' ? 'danger' : 'primary'}
            disabled={decide.isPending}
            onClick={() => decide.mutate(true)}
          >
            {taken ? 'Check the result' : again ? `Confirm again: ${step.title.toLowerCase()}` : 'Confirm'}
          </Button>
          {!taken && (
            <>
              <Button disabled={decide.isPending} onClick={() => decide.mutate(false)}>
                Reject
              </Button>
              <span className="text-xs text-ink-3">until {moment(step.expiresAt)}</span>
            </>
          )}
        </footer>
      )}
    </section>
  );
}

/** The terms of a change that was proposed before the server described its arguments. */
function Terms({ step }: { step: Schema<'AgentStep'> }) {
  const terms = Object.entries({ ...step.parameters, ...step.body });
  return (
    <dl className="text-ink-2">
      {terms.map(([name, value]) => (
        <div key={name} className="flex gap-2">
          <dt className="text-ink-3">{name}</dt>
          <dd className="num break-all">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
