import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { problemOf } from '~/api/problem';
import { today } from '~/format/dates';
import { quantity } from '~/format/figures';
import { counted } from '~/format/words';
import { Records } from '~/imports/Records';
import { currentUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Figures } from '~/ui/Figures';
import { Menu } from '~/ui/Menu';
import { Banner, Failure } from '~/ui/Notice';
import { notify } from '~/ui/notify';
import { Section } from '~/ui/Page';
import { AddItem } from './AddItem';
import { additions, contextOf } from './forms';
import { PlanItem } from './PlanItem';
import { Question } from './Question';
import { Unused } from './Unused';
import { useCorrections } from './useCorrections';
import { ofFile, useOnboarding } from './useOnboarding';

/** The second step: questions, the planned records with corrections in place, and the build. */
export function Plan({ id, onAgain }: { id: string; onAgain: () => void }) {
  const { state, described, questions, plan, refresh, answer, correct, add, remove, build } = useOnboarding(id);
  const items = plan.data?.items ?? [];
  const context = contextOf(items, today());
  const corrections = useCorrections(items, context, correct.mutateAsync, refresh);
  const [adding, setAdding] = useState<(typeof additions)[number]>();
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
  const { totals, summary, unused } = plan.data;
  const prompt = described.data?.initialPrompt ?? '';
  const isPackage = items.some((item) => item.kind === 'package');
  const failed = new Map((build.data?.setupResult?.failed ?? []).map((one) => [one.itemId, one]));
  const open = questions.data.data.filter((question) => question.required && !question.answer && !question.default);
  const run = async () => {
    if (!(await corrections.saveAll())) return;
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
  };
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
      {prompt && !prompt.startsWith(ofFile) && unused.length > 0 && <Unused description={prompt} parts={unused} />}
      <Section
        title="Records to create"
        detail={counted(items.length, 'record')}
        actions={
          !isPackage && (
            <Menu
              trigger={
                <Button>
                  <Plus size={15} aria-hidden />
                  Add a record
                </Button>
              }
              items={additions.map((addition) => ({
                label: addition.label,
                run: () => {
                  add.reset();
                  setAdding(addition);
                },
              }))}
            />
          )
        }
      >
        {adding && (
          <AddItem
            key={adding.label}
            addition={adding}
            context={context}
            busy={add.isPending}
            error={add.error}
            onAdd={(record) => add.mutate(record, { onSuccess: () => setAdding(undefined) })}
            onCancel={() => setAdding(undefined)}
          />
        )}
        {remove.error && <Banner tone="bad">{problemOf(remove.error).message}</Banner>}
        <ul className="border-t border-line">
          {items.map((item) => (
            <PlanItem
              key={item.itemId}
              item={item}
              context={context}
              body={corrections.bodyOf(item)}
              unsent={corrections.isUnsent(item)}
              failed={failed.get(item.itemId)}
              problem={corrections.problemOf(item)}
              onChange={(body) => corrections.change(item, body)}
              onLeave={() => corrections.save(item)}
              onRemove={
                item.kind === 'organization' || item.kind === 'package' ? undefined : () => remove.mutate(item.itemId)
              }
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
