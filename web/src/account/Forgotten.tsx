import { api } from '~/api/client';
import { problemOf } from '~/api/problem';
import { Banner } from '~/ui/Notice';

const messages: Record<string, string> = {
  userNotFound: 'There is no account with this address.',
  existingActiveTempPassword: 'A temporary password was sent less than an hour ago. Check your mail.',
};

/** A link that mails a temporary password to the entered address. */
export function Forgotten({ email }: { email: string }) {
  const reset = api.useMutation('post', '/user/password/reset');
  if (reset.isSuccess)
    return <Banner tone="good">A temporary password was sent to {email}. It works once, for an hour.</Banner>;
  const problem = reset.error ? problemOf(reset.error) : undefined;
  return (
    <div className="flex flex-col gap-2">
      <button
        type="button"
        className="self-start text-accent hover:underline disabled:text-ink-3 disabled:no-underline"
        disabled={!email || reset.isPending}
        onClick={() => reset.mutate({ body: { email } })}
      >
        {email ? 'Send a temporary password' : 'Forgot the password? Enter your e-mail first.'}
      </button>
      {problem && <Banner tone="bad">{messages[problem.key] ?? problem.message}</Banner>}
    </div>
  );
}
