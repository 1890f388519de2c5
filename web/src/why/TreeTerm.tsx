import { ArrowUpRight, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { problemOf } from '~/api/problem';
import { moment } from '~/format/dates';
import { words } from '~/format/words';
import { PlaceLink } from '~/journal/PlaceLink';
import { type Place, placeOf, placeOfEntry } from '~/journal/places';
import { Unbroken } from '~/ui/Unbroken';
import { captions, labelOf, shown, symbolOf, type Term } from './operation';
import { useTreeItem } from './Tree';
import { useExplanation } from './useExplanation';

type Props = { path: string; level: number; term: Term; symbol?: string; open?: boolean };

/** A figure in the tree. It unfolds to the terms of its calculation, or to the entries that recorded it. */
export function TreeTerm({ path, level, term, symbol = '', open: initially = false }: Props) {
  const [open, setOpen] = useState(initially);
  const { item } = useTreeItem(path, level);
  const folds = Boolean(term.explain || term.terms?.length || term.entries?.length || term.records?.length);
  return (
    <div role="none">
      <button
        type="button"
        {...item}
        aria-expanded={folds ? open : undefined}
        onClick={() => folds && setOpen(!open)}
        className="flex min-h-7 w-full items-center gap-1.5 rounded-md px-1 py-0.5 text-left hover:bg-hover"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={`shrink-0 text-ink-3 ${open ? 'rotate-90' : ''} ${folds ? '' : 'invisible'}`}
        />
        <span className="num w-3 shrink-0 text-center text-ink-3">{symbol}</span>
        <span className="min-w-0 flex-1">
          <Unbroken text={labelOf(term)} />
          {open && captions[term.operation] && (
            <span className="ml-1.5 text-xs text-ink-3">{captions[term.operation]}</span>
          )}
        </span>
        <span className="num">{shown(term)}</span>
      </button>
      {open && folds && (
        <div role="group" className="ml-2.5 border-l border-line pl-2 max-[900px]:ml-1.5 max-[900px]:pl-1">
          {term.explain && !term.terms?.length ? (
            <Explained path={path} level={level + 1} figure={term.explain} />
          ) : (
            <Parts path={path} level={level + 1} term={term} />
          )}
        </div>
      )}
    </div>
  );
}

/** The terms, entries and records below a figure. */
function Parts({ path, level, term }: Omit<Props, 'symbol' | 'open'>) {
  const { entries = [], records = [] } = term;
  return (
    <>
      {term.terms?.map((part, index) => (
        <TreeTerm
          key={`${part.label} ${index.toString()}`}
          path={`${path}.${index}`}
          level={level}
          term={part}
          symbol={symbolOf(term.operation, index)}
        />
      ))}
      {entries.map((entry) => (
        <TreeLink
          key={entry.sequence}
          path={`${path}.#${entry.sequence}`}
          level={level}
          place={placeOfEntry(entry.sequence)}
        >
          <span className="text-ink-3">{entry.sequence}</span>
          <span className="min-w-0 flex-1">{words(entry.type)}</span>
          <span className="text-ink-3">{moment(entry.recordedAt)}</span>
        </TreeLink>
      ))}
      {records.map((record) => {
        const place = placeOf(record.kind, record.id, entries[0]?.type);
        return (
          place && (
            <TreeLink key={record.id} path={`${path}.${record.id}`} level={level} place={place}>
              <span className="flex-1 text-accent">Open the record</span>
              <ArrowUpRight size={13} aria-hidden className="text-ink-3" />
            </TreeLink>
          )
        );
      })}
    </>
  );
}

/** The parts of a figure with an explanation of its own; loaded when it unfolds. */
function Explained({ path, level, figure }: { path: string; level: number; figure: string }) {
  const answer = useExplanation(figure);
  if (answer.isError)
    return (
      <p role="alert" className="px-1 py-1 text-xs text-neg">
        {problemOf(answer.error).message}{' '}
        <button type="button" className="font-medium underline" onClick={() => answer.refetch()}>
          Try again
        </button>
      </p>
    );
  if (!answer.data) return <div role="status" aria-label="Loading" className="skeleton my-1 h-6" />;
  const { explanation } = answer.data;
  return <Parts path={path} level={level} term={{ ...explanation, explain: undefined }} />;
}

type LinkProps = {
  path: string;
  level: number;
  place: Place;
  children: ReactNode;
};

function TreeLink({ path, level, place, children }: LinkProps) {
  const { item, onLeave } = useTreeItem(path, level);
  return (
    <PlaceLink
      {...item}
      place={place}
      onClick={onLeave}
      className="num flex min-h-7 items-center gap-2 rounded-md px-1 text-xs text-ink-2 hover:bg-hover"
    >
      {children}
    </PlaceLink>
  );
}
