import { api } from '~/api/client';
import { problemOf } from '~/api/problem';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';

/** A button that sends another verification mail. */
export function Resend({ email }: { email: string }) {
  const send = api.useMutation('post', '/user/email/verify/send');
  const problem = send.error ? problemOf(send.error) : undefined;
  if (send.isSuccess) return <Banner tone="good">A mail was sent to {email}.</Banner>;
  return (
    <>
      <Button disabled={send.isPending} onClick={() => send.mutate({ body: { email } })}>
        Send another mail
      </Button>
      {problem && (
        <Banner tone="bad">
          {problem.key === 'recentEmailVerification'
            ? 'A mail was sent a moment ago. Check your mail.'
            : problem.message}
        </Banner>
      )}
    </>
  );
}
