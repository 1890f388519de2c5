import { Check, Clock, X } from 'lucide-react';
import type { Schema } from '~/api/client';
import { Step } from './Step';
import type { Message } from './useConversation';

const marks = { succeeded: Check, refused: X, waiting: Clock };

/** A tool call of the assistant in one line. */
function Call({ call }: { call: Schema<'AgentToolCall'> }) {
  const Mark = marks[call.status];
  return (
    <p className="flex items-center gap-1.5 text-xs text-ink-3">
      <Mark size={12} aria-label={call.status} />
      {call.summary}
    </p>
  );
}

/** One message of the conversation. */
export function Answer({ message, waiting }: { message: Message; waiting: boolean }) {
  if (message.role === 'user') {
    return <p className="ml-8 self-end rounded-[10px] bg-active px-3 py-2 whitespace-pre-wrap">{message.text}</p>;
  }
  return (
    <div className="flex flex-col gap-2">
      {message.calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
      {message.text ? (
        <p className={`whitespace-pre-wrap ${message.failed ? 'text-neg' : ''}`}>{message.text}</p>
      ) : (
        waiting && <div className="skeleton h-4 w-40" role="status" aria-label="The assistant is answering" />
      )}
      {message.steps.map((step) => (
        <Step key={step.stepId} step={step} />
      ))}
    </div>
  );
}
