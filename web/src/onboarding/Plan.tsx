import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { problemOf } from '~/api/problem';
import { quantity } from '~/format/figures';
import { counted } from '~/format/words';
import { Records } from '~/imports/Records';
import { currentUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Figures } from '~/ui/Figures';
import { Banner, Failure } from '~/ui/Notice';
import { notify } from '~/ui/notify';
import { Section } from '~/ui/Page';
import { PlanItem } from './PlanItem';
import { Question } from './Question';
import { useOnboarding } from './useOnboarding';

/** The second step: questions, the planned records with corrections in place, and the build. */
export function Plan({ id, onAgain }: { id: string; onAgain: () => void }) {
  const { state, questions, plan, answer, correct, build } = useOnboarding(id);
  const navigate = useNavigate();
  const queries = useQueryClient();
  if (state.isError) return <Failure what="The plan" error={state.error} retry={state.refetch} />;
  if (state.data?.status === 'failed' || state.data?.status === 'expired') {
    return (
      <Banner tone="bad">
        The description could not be read.{' '}
        <button type="button" className="font-medium underline" onClick={onAgain}>
          Describe the company again
        </button>
      </Banner>
    );
  }
  if (!plan.data || !questions.data)
    return <div className="skeleton h-64" role="status" aria-label="Reading the description" />;
  const { items, totals, summary } = plan.data;
  const titles = new Map(items.map((item) => [item.itemId, item.title]));
  const failed = new Map((build.data?.setupResult?.failed ?? []).map((one) => [one.itemId, one]));
  const open = questions.data.data.filter((question) => question.required && !question.answer && !question.default);
  const run = () =>
    build.mutate(undefined, {
      onSuccess: async (result) => {
        const organization = result.setupResult?.organization;
        if (!organization || (result.setupResult?.failed.length ?? 0) > 0) return;
        await queries.invalidateQueries({ queryKey: currentUser.queryKey });
        notify({
          title: 'The company is built',
          description: counted(result.setupResult?.created.length ?? 0, 'record'),
        });
        navigate({ to: '/company/$organization/captable', params: { organization } });
      },
    });
  return (
    <>
      <p className="mb-4 text-base">{summary}</p>
      <Figures
        count={3}
        figures={[
          { label: 'Authorized', value: quantity(totals.authorized) },
          { label: 'Issued', value: quantity(totals.issued) },
          { label: 'Fully diluted', value: quantity(totals.fullyDiluted) },
        ]}
      />
      {questions.data.data.length > 0 && (
        <Section title="Questions" detail={open.length > 0 ? `${open.length} open` : 'answered'}>
          {questions.data.data.map((question) => (
            <Question
              key={`${question.questionId} ${question.answer}`}
              question={question}
              busy={answer.isPending}
              error={answer.variables?.questionId === question.questionId ? answer.error : undefined}
              onAnswer={(text) => answer.mutate({ questionId: question.questionId, answer: text })}
            />
          ))}
        </Section>
      )}
      <Section title="Records to create" detail={counted(items.length, 'record')}>
        <ul className="border-t border-line">
          {items.map((item) => (
            <PlanItem
              key={item.itemId}
              item={item}
              titles={titles}
              failed={failed.get(item.itemId)}
              error={correct.variables?.itemId === item.itemId ? correct.error : undefined}
              onCorrect={(fieldPath, newValue) => correct.mutate({ itemId: item.itemId, fieldPath, newValue })}
            />
          ))}
        </ul>
      </Section>
      {plan.data.records && <Records records={plan.data.records} />}
      {build.error && <Banner tone="bad">{problemOf(build.error).message}</Banner>}
      <div className="sticky bottom-0 flex items-center gap-3 border-t border-line bg-surface py-3">
        <Button look="primary" disabled={build.isPending || open.length > 0} onClick={run}>
          {build.isPending ? 'Building…' : `Build ${counted(items.length, 'record')}`}
        </Button>
        <Button look="ghost" onClick={onAgain}>
          Describe again
        </Button>
        {open.length > 0 && <span className="text-ink-3">Answer the open questions first.</span>}
      </div>
    </>
  );
}
