import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { ask } from './send';

/** Message is one message of the conversation, with the tool calls and the proposed changes of an answer. */
export type Message = {
  id: string;
  role: 'user' | 'assistant';
  text: string;
  calls: Schema<'AgentToolCall'>[];
  steps: Schema<'AgentStep'>[];
  failed?: boolean;
};

const message = (role: Message['role'], text: string): Message => ({
  id: crypto.randomUUID(),
  role,
  text,
  calls: [],
  steps: [],
});

/** Returns the messages of a stored conversation. Its open changes belong to the last answer. */
function stored(details: Schema<'AgentConversationDetails'>): Message[] {
  const messages = details.messages.map((one) => ({ ...message(one.role, one.content), calls: one.toolCalls }));
  const last = messages.at(-1);
  if (last) last.steps = details.pendingConfirmations;
  return messages;
}

/** Holds a conversation with the assistant about one company. */
export function useConversation(organization: string) {
  const queries = useQueryClient();
  const [messages, setMessages] = useState<Message[]>([]);
  const [busy, setBusy] = useState(false);
  const [unopened, setUnopened] = useState<{ id: string; reason: string }>();
  const conversation = useRef<string>(undefined);
  const stop = useRef<AbortController>(undefined);
  const change = (id: string, next: (before: Message) => Message) =>
    setMessages((before) => before.map((one) => (one.id === id ? next(one) : one)));
  const send = async (text: string) => {
    const answer = message('assistant', '');
    setMessages((before) => [...before, message('user', text), answer]);
    setBusy(true);
    stop.current = new AbortController();
    try {
      const request = { organization, message: text, conversationId: conversation.current };
      const complete = await ask(
        request,
        {
          text: (part) => change(answer.id, (before) => ({ ...before, text: before.text + part })),
          call: (call) =>
            change(answer.id, (before) => ({
              ...before,
              calls: [...before.calls.filter((one) => one.id !== call.id), call],
            })),
        },
        stop.current.signal,
      );
      conversation.current = complete.conversationId;
      change(answer.id, (before) => ({
        ...before,
        text: complete.response,
        calls: complete.toolCalls,
        steps: complete.pendingConfirmations,
      }));
    } catch (thrown) {
      change(answer.id, (before) => ({ ...before, text: before.text || problemOf(thrown).message, failed: true }));
    } finally {
      setBusy(false);
      queries.invalidateQueries({ queryKey: ['get', '/organization/{organization}/agent/conversation'] });
    }
  };
  const open = async (id: string) => {
    const params = { path: { organization, conversation: id } };
    setUnopened(undefined);
    try {
      const { data } = await client.GET('/organization/{organization}/agent/conversation/{conversation}', { params });
      stop.current?.abort();
      conversation.current = id;
      setMessages(stored(data as Schema<'AgentConversationDetails'>));
    } catch (thrown) {
      setUnopened({ id, reason: problemOf(thrown).message });
    }
  };
  const begin = () => {
    stop.current?.abort();
    setUnopened(undefined);
    conversation.current = undefined;
    setMessages([]);
  };
  return { messages, busy, unopened, send, open, begin, stop: () => stop.current?.abort() };
}
