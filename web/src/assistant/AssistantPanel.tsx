import { X } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { ChosenCompany } from '~/shell/company';
import type { Assistant } from '~/shell/useAssistant';
import { useUser } from '~/shell/user';
import { Button, IconButton } from '~/ui/Button';
import { Conversation } from './Conversation';

/** The assistant beside the page, about one company. On pages outside companies, it first offers the choice of a company. */
export default function AssistantPanel({ organization, choose, toggle, draft }: Assistant) {
  const { organizations = [] } = useUser();
  const name = organizations.find((one) => one.id === organization)?.name;
  const header = (actions?: ReactNode) => (
    <>
      <header className="flex items-center gap-1 px-4 py-2">
        <h2 className="mr-auto font-medium">Assistant</h2>
        {actions}
        <IconButton label="Close the assistant" onClick={toggle}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      {choose && organization && (
        <p className="flex items-center gap-2 border-b border-line px-4 pb-2 text-ink-2">
          <span className="min-w-0 flex-1 truncate">About {name}</span>
          <Button look="ghost" onClick={() => choose(undefined)}>
            Change
          </Button>
        </p>
      )}
    </>
  );
  return (
    <aside
      aria-label="Assistant"
      className="panel m-2 ml-0 flex min-h-0 flex-col max-[1100px]:fixed max-[1100px]:inset-y-2 max-[1100px]:right-2 max-[1100px]:z-30 max-[1100px]:m-0 max-[1100px]:w-[400px] max-[1100px]:max-w-[calc(100vw-16px)] max-[1100px]:shadow-pop"
    >
      {organization ? (
        <ChosenCompany value={organization}>
          <Suspense fallback={header()}>
            <Conversation key={organization} header={header} draft={draft} onClose={toggle} />
          </Suspense>
        </ChosenCompany>
      ) : (
        <>
          {header()}
          <CompanyChoice companies={organizations} onChoose={(id) => choose?.(id)} onClose={toggle} />
        </>
      )}
    </aside>
  );
}

type ChoiceProps = {
  companies: { id: string; name: string }[];
  onChoose: (organization: string) => void;
  onClose: () => void;
};

/** The companies of the user. A conversation is about one of them. */
function CompanyChoice({ companies, onChoose, onClose }: ChoiceProps) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    first.current?.focus();
  }, []);
  return (
    <section
      aria-label="Company of the conversation"
      className="flex min-h-0 flex-1 flex-col gap-2 overflow-y-auto px-4 py-2"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <p className="text-ink-3">Choose the company to ask about.</p>
      {companies.map((company, at) => (
        <Button
          key={company.id}
          ref={at === 0 ? first : undefined}
          className="justify-start"
          onClick={() => onChoose(company.id)}
        >
          {company.name}
        </Button>
      ))}
    </section>
  );
}
