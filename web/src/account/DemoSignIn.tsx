import { api, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { Button } from '~/ui/Button';
import { Refusal } from './Refusal';

/** The offer to look around, on a server with the demo company. */
export function DemoSignIn({ onEntered }: { onEntered: (user: Schema<'User'>) => void }) {
  const demo = api.useQuery('get', '/user/sign-in', {}, { retry: false }).data?.demo;
  const login = api.useMutation('post', '/user/login');
  if (!demo) return null;
  const open = () => login.mutate({ body: demo }, { onSuccess: (user) => onEntered(user as Schema<'User'>) });
  return (
    <section aria-label="Demo" className="flex flex-col gap-2 border-t border-line pt-4">
      <p className="text-ink-2">This server has a demo company. Look around without an account.</p>
      <Button className="justify-center" disabled={login.isPending} onClick={open}>
        Open the demo company
      </Button>
      <Refusal problem={login.error ? problemOf(login.error) : undefined} />
    </section>
  );
}
