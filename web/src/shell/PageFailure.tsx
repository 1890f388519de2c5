import { useQueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { type Problem, problemOf } from '~/api/problem';
import { Button } from '~/ui/Button';
import { useTitle } from '~/ui/useTitle';
import { retryFailed } from './retryFailed';
import { currentUser } from './user';

/** What happened, and what the user can do. */
function words(problem: Problem): [string, string] {
  if (problem.code === 'part') {
    return [
      'A part of the app could not be loaded',
      'Try again. If that fails, load the app anew: there may be a newer version.',
    ];
  }
  switch (problem.status) {
    case 401:
      return ['You are signed out', 'Sign in to continue.'];
    case 403:
      return ['You may not see this page', 'Ask an owner of the company for a role that may.'];
    case 404:
      return ['There is no such page', 'The address may be wrong, or you may not see what it names.'];
    case -1:
      return ['The page has a fault', `No data was changed. Try again, or load the app anew. ${problem.message}`];
    case 0:
    case 502:
    case 503:
    case 504:
      return ['The server cannot be reached', 'No data was changed. Check your connection, and try again.'];
  }
  return ['The page could not be loaded', `${problem.message} No data was changed.`];
}

/** A page that could not be shown: what happened, and what to do. A retry sends the failed requests again. */
export function PageFailure({ error }: ErrorComponentProps) {
  const problem = problemOf(error);
  const router = useRouter();
  const queries = useQueryClient();
  const { reset } = useQueryErrorResetBoundary();
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    reset();
    await retryFailed(queries, router);
    setBusy(false);
  };
  const unanswered = problem.status === 0;
  useEffect(() => {
    // The notice of the connection follows this read, and shows the page when the server answers again.
    if (unanswered) queries.fetchQuery({ ...currentUser, staleTime: 0, retry: false }).catch(() => undefined);
  }, [unanswered, queries]);
  const [title, text] = words(problem);
  const anew = problem.code === 'part' || problem.status === -1;
  return (
    <Centered title={title}>
      <p className="text-ink-2">{text}</p>
      {problem.requestId && <p className="text-xs text-ink-3">Request {problem.requestId}</p>}
      <p className="mt-4 flex flex-wrap gap-2">
        {problem.status !== 404 && problem.status !== 403 && (
          <Button look="primary" disabled={busy} onClick={retry}>
            {busy ? 'Trying…' : 'Try again'}
          </Button>
        )}
        {anew && <Button onClick={() => location.reload()}>Load the app anew</Button>}
        <Link to="/" className="btn btn-outline">
          Home
        </Link>
      </p>
    </Centered>
  );
}

/** A failure before the frame of the app is shown. */
export const BareFailure = (props: ErrorComponentProps) => (
  <main id="main">
    <PageFailure {...props} />
  </main>
);

/** A page that does not exist. */
export const PageMissing = () => (
  <Centered title="There is no such page">
    <p className="text-ink-2">The address may be wrong, or the page may have moved.</p>
    <p className="mt-4">
      <Link to="/" className="btn btn-outline">
        Home
      </Link>
    </p>
  </Centered>
);

function Centered({ title, children }: { title: string; children: ReactNode }) {
  useTitle(`${title} · Equity`);
  return (
    <div className="mx-auto max-w-xl px-8 py-16 max-[900px]:px-4" role="alert">
      <h1 className="mb-1 text-xl font-semibold tracking-[-0.015em]">{title}</h1>
      {children}
    </div>
  );
}
