import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, client, type Schema } from '~/api/client';
import { readProblem } from '~/api/problem';
import { type Reading, readingQuery } from '~/imports/reading';
import type { Body } from '~/posting/posting';
import type { Addable } from './forms';

const pause = 1_000; // milliseconds between two reads of a state that will change

const settled = new Set(['questions', 'analyzed', 'built', 'complete', 'failed', 'expired']);

/** The beginning of the description of a company that only a file describes. */
export const ofFile = 'The company of the file ';

/** Begins an onboarding for the user and, if given, attaches a package or a spreadsheet. Returns its id. */
export const useBegin = (email: string) =>
  useMutation({
    mutationFn: async ({ prompt, file, reading }: { prompt: string; file: File | undefined; reading: Reading }) => {
      const initialPrompt = prompt || `${ofFile}${file?.name}`;
      const created = (await client.POST('/agent/onboarding/create', { body: { email, initialPrompt } }))
        .data as Schema<'Onboarding'>;
      await client.POST('/agent/onboarding/link', { body: { onboardingId: created.id } });
      if (file) await attach(created.id, file, reading);
      return created.id;
    },
  });

async function attach(onboarding: string, file: File, reading: Reading) {
  const body = new FormData();
  body.append('file', file);
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const query = new URLSearchParams(readingQuery(reading, 'shareholdings'));
  const path = `/v1/agent/onboarding/attachment/${onboarding}?${query}`;
  const response = await fetch(path, { method: 'POST', body, headers });
  if (!response.ok) throw await readProblem(response);
}

/** Reads the state, the questions and the plan of an onboarding, and offers the calls that change it. */
export function useOnboarding(id: string) {
  const queries = useQueryClient();
  const params = { path: { onboarding: id } };
  const state = useQuery({
    queryKey: ['get', '/agent/onboarding/analysis-status/{onboarding}', id],
    queryFn: async () =>
      (await client.GET('/agent/onboarding/analysis-status/{onboarding}', { params }))
        .data as Schema<'OnboardingState'>,
    refetchInterval: (query) => (query.state.data && settled.has(query.state.data.status) ? false : pause),
  });
  const analyzed = state.data?.analysisComplete === true;
  const questions = api.useQuery('get', '/agent/onboarding/questions/{onboarding}', { params }, { enabled: analyzed });
  const plan = api.useQuery('get', '/agent/onboarding/showcase/{onboarding}', { params }, { enabled: analyzed });
  const described = api.useQuery('get', '/agent/onboarding/{onboarding}', { params }, { enabled: analyzed });
  const refresh = () =>
    queries.invalidateQueries({ predicate: (query) => JSON.stringify(query.queryKey).includes(id) });
  const answer = useMutation({
    mutationFn: (given: { questionId: string; answer: string }) =>
      client.POST('/agent/onboarding/clarify', { body: { onboardingId: id, ...given } }),
    onSuccess: refresh,
  });
  const correct = useMutation({
    mutationFn: (change: { itemId: string; fieldPath: string; newValue: unknown }) =>
      client.POST('/agent/onboarding/correct', {
        body: { onboardingId: id, ...change } as Schema<'OnboardingCorrection'>,
      }),
  });
  const add = useMutation({
    mutationFn: (record: { kind: Addable; fields: Body }) =>
      client.POST('/agent/onboarding/add', { body: { onboardingId: id, ...record } }),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: (itemId: string) => client.POST('/agent/onboarding/remove', { body: { onboardingId: id, itemId } }),
    onSuccess: refresh,
  });
  const build = useMutation({
    mutationFn: async () => {
      const body = { onboardingId: id };
      for (;;) {
        const result = (await client.POST('/agent/onboarding/setup', { body })).data as Schema<'OnboardingResult'>;
        if (result.status !== 'building') return result;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    },
    onSettled: refresh,
  });
  return { state, described, questions, plan, refresh, answer, correct, add, remove, build };
}
