import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { client, type Schema } from '~/api/client';
import { useCompany } from '~/shell/company';
import { Failure } from '~/ui/Notice';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/chat')({
  component: ChatPage,
  staticData: { undated: 'all' },
});

/** The company's team at the chat server. The session sets the cookies of the chat server before the frame loads. */
function ChatPage() {
  const { id: organization } = useCompany();
  const session = useQuery({
    queryKey: ['chat session', organization],
    queryFn: async () =>
      (await client.POST('/chat/session', { body: { organizationId: organization } })).data as Schema<'ChatSession'>,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (session.isError) return <Failure what="The team chat" error={session.error} retry={session.refetch} />;
  return (
    <Page title="Team chat">
      {session.data ? (
        <iframe
          title="Team chat"
          src={`${session.data.baseUrl}/${session.data.teamName}`}
          className="h-[calc(100dvh-120px)] w-full rounded-[7px] border border-line"
        />
      ) : (
        <div className="skeleton h-[calc(100dvh-120px)]" />
      )}
    </Page>
  );
}
