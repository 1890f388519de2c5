import { History, Plus, SendHorizontal, Square } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useList } from '~/api/list';
import { moment } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { Button, IconButton } from '~/ui/Button';
import { Menu } from '~/ui/Menu';
import { Banner } from '~/ui/Notice';
import { Answer } from './Answer';
import { useConversation } from './useConversation';

const examples = ['Show the cap table', 'List members', 'Which options vest this year?'];

type Props = {
  header: (actions: ReactNode) => ReactNode;
  /** The message that is being written. */
  draft: RefObject<string>;
  onClose: () => void;
};

/** The conversation about a company: reads run at once, changes wait for a confirmation of their preview. */
export function Conversation({ header, draft, onClose }: Props) {
  const { id: organization } = useCompany();
  const { messages, busy, unopened, send, open, begin, stop } = useConversation(organization);
  const earlier = useList('/organization/{organization}/agent/conversation', { path: { organization } });
  const [text, setText] = useState(draft.current);
  draft.current = text;
  const input = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    input.current?.focus();
  }, []);
  useEffect(() => {
    if (messages.length > 0) end.current?.scrollIntoView({ block: 'end' });
  }, [messages]);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (busy || !text.trim()) return;
    send(text.trim());
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <>
      {header(
        <>
          <Menu
            trigger={
              <IconButton label="Earlier conversations">
                <History size={16} aria-hidden />
              </IconButton>
            }
            items={earlier.rows.map(({ id, title, updatedAt }) => ({
              id,
              label: title,
              hint: moment(updatedAt),
              run: () => open(id),
            }))}
          />
          <IconButton label="New conversation" onClick={begin}>
            <Plus size={16} aria-hidden />
          </IconButton>
        </>,
      )}
      <div
        className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 py-2"
        role="log"
        aria-label="Conversation"
      >
        {unopened && (
          <Banner tone="bad">
            <p>The conversation could not be opened. {unopened.reason} No data was changed.</p>
            <Button className="mt-2" onClick={() => open(unopened.id)}>
              Try again
            </Button>
          </Banner>
        )}
        {messages.length === 0 && (
          <div className="m-auto flex flex-col items-center gap-2 text-center">
            <p className="text-ink-3">
              Ask about the company, or describe a change. Changes are recorded only after you confirm their preview.
            </p>
            {examples.map((example) => (
              <Button key={example} onClick={() => send(example)}>
                {example}
              </Button>
            ))}
          </div>
        )}
        {messages.map((message) => (
          <Answer key={message.id} message={message} waiting={busy && message === messages.at(-1)} />
        ))}
        <div ref={end} />
      </div>
      <form onSubmit={submit} className="flex items-end gap-2 border-t border-line p-3">
        <textarea
          ref={input}
          aria-label="Message"
          placeholder="Message"
          rows={2}
          maxLength={8000}
          className="field h-auto! resize-none py-1.5"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {busy ? (
          <IconButton label="Stop" onClick={stop}>
            <Square size={15} aria-hidden />
          </IconButton>
        ) : (
          <IconButton label="Send" type="submit">
            <SendHorizontal size={16} aria-hidden />
          </IconButton>
        )}
      </form>
    </>
  );
}
