import { useMutation, useQueryClient } from '@tanstack/react-query';
import { problemOf } from '~/api/problem';
import { notify } from '~/ui/notify';

/** A change of a setting: sends it, reads all settings again, and shows a message. */
export function useAction<Input, Output>(send: (input: Input) => Promise<Output>, done?: string) {
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      if (done) notify({ title: done });
      await queries.invalidateQueries();
    },
  });
  return { ...mutation, problem: mutation.error ? problemOf(mutation.error) : undefined };
}
