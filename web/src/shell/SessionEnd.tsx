import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { placeAfter } from '~/account/afterSignIn';
import type { Schema } from '~/api/client';
import { Problem, problemOf } from '~/api/problem';
import { noteReturn, onRefusal } from '~/api/session';
import { lazyPart } from '~/ui/lazyPart';
import { currentUser, readUser, useUser } from './user';

const SignInAgain = lazyPart(() => import('~/account/SignInAgain'));

/**
 * Asks for a sign-in over the page when the session has ended, here or in another tab. The page below keeps its forms, and continues
 * after the sign-in. Another user starts anew.
 */
export function SessionEnd() {
  const user = useUser();
  const queries = useQueryClient();
  const router = useRouter();
  const [ended, setEnded] = useState(false);
  const enter = useCallback(
    (entered: Schema<'User'>) => {
      if (entered.id !== user.id || entered.mustChangePassword) return location.assign(placeAfter(entered, {}));
      setEnded(false);
      queries.setQueryData(currentUser.queryKey, entered);
      noteReturn();
      queries.invalidateQueries();
      router.invalidate();
    },
    [user.id, queries, router],
  );
  /** Reads the session. A request may be refused for another reason than its end. */
  const check = useCallback(async () => {
    const present = await readUser().catch(problemOf);
    if (!(present instanceof Problem)) {
      if (ended || present.id !== user.id) enter(present);
    } else if (present.status === 401) {
      setEnded(true);
    }
  }, [ended, user.id, enter]);
  useEffect(() => {
    if (!ended) return onRefusal(check);
    // A sign-in in another tab is valid here too.
    const look = () => document.visibilityState === 'visible' && check();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
    };
  }, [ended, check]);
  if (!ended) return null;
  return (
    <Suspense>
      <SignInAgain user={user} onEntered={enter} />
    </Suspense>
  );
}
