import type { Schema } from '~/api/client';
import { Problem, readProblem } from '~/api/problem';
import { readEvents } from '~/live/eventStream';

type Receive = { text: (part: string) => void; call: (call: Schema<'AgentToolCall'>) => void };

/** Sends a message to the assistant and receives its answer in parts. Returns the complete answer. */
export async function ask(
  message: Schema<'AgentMessage'>,
  receive: Receive,
  signal: AbortSignal,
): Promise<Schema<'AgentAnswer'>> {
  const response = await fetch('/v1/agent/chat', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
      'Idempotency-Key': crypto.randomUUID(),
    },
    body: JSON.stringify(message),
    signal,
  });
  if (!response.ok || !response.body) throw await readProblem(response);
  let answer: Schema<'AgentAnswer'> | undefined;
  for await (const { event, data } of readEvents(response.body)) {
    const content = JSON.parse(data);
    if (event === 'delta') receive.text(content.text);
    if (event === 'toolCall') receive.call(content);
    if (event === 'error') throw new Problem(content.status ?? 500, content);
    if (event === 'done') answer = content;
  }
  if (!answer) throw new Problem(0, { code: 'cutOff', message: 'The answer was cut off. Send the message again.' });
  return answer;
}
