import { createFileRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '~/api/client';
import { Problem } from '~/api/problem';
import { BareFailure } from '~/shell/PageFailure';
import { Shell } from '~/shell/Shell';
import { currentUser } from '~/shell/user';

/** The pages of a signed-in user. Without a session they lead to the sign-in page and back. */
export const Route = createFileRoute('/_user')({
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(currentUser);
    } catch (thrown) {
      if (thrown instanceof Problem && thrown.status === 401)
        throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
      throw thrown;
    }
  },
  component: Shell,
  errorComponent: BareFailure,
});
