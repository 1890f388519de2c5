import { useQueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Problem, problemOf } from '~/api/problem';
import { Button } from '~/ui/Button';
import { useTitle } from '~/ui/useTitle';
import { retryFailed } from './retryFailed';
import { currentUser } from './user';

type Words = { title: string; happened: string; advice: string };

/** What happened, and what the user can do. */
function words(problem: Problem): Words {
  if (problem.code === 'part') {
    return {
      title: 'A part of the app is missing',
      happened: 'A part of the app could not be loaded.',
      advice: 'Try again. If that fails, load the app anew: there may be a newer version.',
    };
  }
  switch (problem.status) {
    case 401:
      return { title: 'You are signed out', happened: 'The session has ended.', advice: 'Sign in to continue.' };
    case 403:
      return {
        title: 'You may not see this page',
        happened: 'Your roles in this company do not include this page.',
        advice: 'Ask an owner of the company for a role that does, and try again.',
      };
    case 404:
      return missing;
    case -1:
      return {
        title: 'The page has a fault',
        happened: `The app could not show this page, and no data was changed. ${problem.message}`,
        advice: 'Try again, or load the app anew.',
      };
    case 0:
    case 502:
    case 503:
    case 504:
      return {
        title: 'The server cannot be reached',
        happened: 'The server gave no answer, and no data was changed.',
        advice: 'Check your connection, and try again. The page appears when the server answers.',
      };
  }
  return {
    title: 'The page could not be loaded',
    happened: `The server refused or failed, and no data was changed. ${problem.message}`,
    advice: 'Try again. If that fails, tell your administrator the number of the request.',
  };
}

const missing: Words = {
  title: 'There is no such page',
  happened: 'No page that you may see has this address.',
  advice: 'Check the address, or begin at Home.',
};

/** Returns a retry, which reads the user and all that failed again, and whether it runs. */
function useRetry() {
  const router = useRouter();
  const queries = useQueryClient();
  const { reset } = useQueryErrorResetBoundary();
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    reset();
    await queries.fetchQuery({ ...currentUser, staleTime: 0, retry: false }).catch(() => undefined);
    await retryFailed(queries, router);
    setBusy(false);
  };
  return { busy, retry };
}

/** A page that could not be shown: what happened, and what to do. A retry sends the failed requests again. */
export function PageFailure({ error }: ErrorComponentProps) {
  const problem = problemOf(error);
  const queries = useQueryClient();
  const unanswered = problem.status === 0;
  useEffect(() => {
    // The notice of the connection follows this read, and shows the page when the server answers again.
    if (unanswered) queries.fetchQuery({ ...currentUser, staleTime: 0, retry: false }).catch(() => undefined);
  }, [unanswered, queries]);
  const anew = problem.code === 'part' || problem.status === -1;
  return <FailurePage {...words(problem)} request={problem.requestId} anew={anew} />;
}

/** A failure before the frame of the app is shown. */
export const BareFailure = (props: ErrorComponentProps) => (
  <main id="main">
    <PageFailure {...props} />
  </main>
);

/** A page that does not exist. */
export const PageMissing = () => <FailurePage {...missing} home />;

/**
 * The common form of failures: the heading of a page, and below its line the sentences, the actions, and the number of the request. The first
 * action is a retry, or Home where a retry changes nothing.
 */
function FailurePage({
  title,
  happened,
  advice,
  request,
  anew,
  home,
}: Words & { request?: string; anew?: boolean; home?: boolean }) {
  const { busy, retry } = useRetry();
  useTitle(`${title} · Equity`);
  return (
    <div className="mx-auto max-w-[1320px] px-8 pb-10 max-[900px]:px-4" role="alert">
      <header className="flex min-h-[76px] items-center py-3">
        <h1 className="text-xl font-semibold tracking-[-0.015em]">{title}</h1>
      </header>
      <div className="border-t border-line pt-6">
        <p className="max-w-prose">{happened}</p>
        <p className="mt-1 max-w-prose text-ink-2">{advice}</p>
        <p className="mt-6 flex flex-wrap gap-2">
          {home && (
            <Link to="/" className="btn btn-primary">
              Home
            </Link>
          )}
          <Button look={home ? 'outline' : 'primary'} disabled={busy} onClick={retry}>
            {busy ? 'Trying…' : 'Try again'}
          </Button>
          {anew && <Button onClick={() => location.reload()}>Load the app anew</Button>}
          {!home && (
            <Link to="/" className="btn btn-outline">
              Home
            </Link>
          )}
        </p>
        {request && <p className="mt-6 text-xs text-ink-3">Request {request}</p>}
      </div>
    </div>
  );
}
