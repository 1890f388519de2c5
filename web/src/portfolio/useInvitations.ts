import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client, type Schema } from '~/api/client';
import { useList } from '~/api/list';
import { problemOf } from '~/api/problem';
import { notify } from '~/ui/notify';

export type Invitation = Schema<'ReceivedInvitation'>;
export type Answer = 'accept' | 'decline';

/** The open invitations to the address of the user. */
export const useInvitations = () => useList('/invitation/received');

/** The memberships that the user gets later. */
export const useClaims = () => api.useQuery('get', '/invitation/waiting', {}, { retry: false }).data?.data ?? [];

/** Answers an invitation, and reads all data again, because a new member has another company. */
export function useAnswer({ id, organization }: Invitation) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (answer: Answer) => {
      const params = { path: { invitation: id } };
      if (answer === 'accept') await client.POST('/invitation/received/{invitation}/accept', { params });
      else await client.POST('/invitation/received/{invitation}/decline', { params });
    },
    onSuccess: (_, answer) =>
      notify({
        title:
          answer === 'accept'
            ? `You are a member of ${organization.name}`
            : `Invitation to ${organization.name} declined`,
      }),
    onError: (thrown) =>
      notify({ title: 'The invitation was not answered', description: problemOf(thrown).message, bad: true }),
    onSettled: () => queries.invalidateQueries(),
  });
}
