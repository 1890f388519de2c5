import { Popover } from '@base-ui/react/popover';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { api, type Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { isDecimal } from '~/decimal/decimal';
import { day, moment } from '~/format/dates';
import { quantity } from '~/format/figures';
import { words } from '~/format/words';
import { useCompany } from '~/shell/company';
import { Failure } from '~/ui/Notice';

type Part = Schema<'Term'>;

/** The explanation of a figure as a tree that unfolds down to the entries of the journal. */
export default function Explanation({ figure, label }: { figure: string; label: string }) {
  const { id: organization } = useCompany();
  const { query, date } = useDay();
  const answer = api.useQuery('get', '/organization/{organization}/explain', {
    params: { path: { organization }, query: { figure, ...query } },
  });
  if (answer.isError) return <Failure what="The explanation" error={answer.error} retry={answer.refetch} />;
  return (
    <>
      <Popover.Title className="font-medium">{label}</Popover.Title>
      <Popover.Description className="mb-2 text-xs text-ink-3">At the end of {day(date)}</Popover.Description>
      {answer.data ? <TermView term={answer.data.explanation} open /> : <div className="skeleton h-24" />}
    </>
  );
}

const shown = (value: string | undefined) => (value === undefined ? '' : isDecimal(value) ? quantity(value) : value);

function TermView({ term, open: initially = false }: { term: Part; open?: boolean }) {
  const [open, setOpen] = useState(initially);
  const parts = term.terms ?? [];
  const entries = term.entries ?? [];
  const folds = parts.length > 0 || entries.length > 0 || term.explain !== undefined;
  return (
    <div>
      <button
        type="button"
        aria-expanded={folds ? open : undefined}
        disabled={!folds}
        onClick={() => setOpen(!open)}
        className="flex min-h-7 w-full items-center gap-1.5 rounded-md px-1 text-left hover:bg-hover"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`shrink-0 text-ink-3 ${open ? 'rotate-90' : ''} ${folds ? '' : 'invisible'}`}
        />
        <span className="min-w-0 flex-1">{term.label}</span>
        <span className="num">{shown(term.value)}</span>
      </button>
      {open && (
        <div className="ml-2.5 border-l border-line pl-2">
          {parts.map((part, index) => (
            <TermView key={index} term={part} />
          ))}
          {parts.length === 0 && term.explain && <Nested figure={term.explain} />}
          {entries.map((entry) => (
            <p key={entry.sequence} className="num flex gap-2 px-1 py-1 text-xs text-ink-2">
              <span>#{entry.sequence}</span>
              <span className="flex-1">{words(entry.type)}</span>
              <span>{moment(entry.recordedAt)}</span>
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

/** The explanation of a part that has a path of its own; loaded when it unfolds. */
function Nested({ figure }: { figure: string }) {
  const { id: organization } = useCompany();
  const { query } = useDay();
  const answer = api.useQuery('get', '/organization/{organization}/explain', {
    params: { path: { organization }, query: { figure, ...query } },
  });
  if (!answer.data) return <div className="skeleton my-1 h-6" />;
  const { terms = [], entries = [] } = answer.data.explanation;
  return <TermView term={{ ...answer.data.explanation, explain: undefined, terms, entries }} open />;
}
