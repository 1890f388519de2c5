import { groups } from 'd3-array';
import { useEffect, useRef } from 'react';
import { day, isoDay, moment } from '~/format/dates';
import { describe, effectiveDay } from '~/journal/describe';
import type { Names } from '~/journal/names';
import { besideAuthor } from '~/journal/origins';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Unbroken } from '~/ui/Unbroken';
import { type Authors, useAuthors } from './useAuthors';
import type { Entry } from './useJournal';

type Props = {
  entries: Entry[];
  names: Names;
  onOpen: (entry: Entry) => void;
  /** Loads older entries; undefined at the end. */
  more?: () => void;
  loading: boolean;
};

/** The entries by the day on which they were recorded. Older ones load when their place is reached. */
export function Entries({ entries, names, onOpen, more, loading }: Props) {
  const { currency } = useCompany();
  const authorOf = useAuthors(entries.map((entry) => entry.by));
  const days = groups(entries, (entry) => isoDay(new Date(entry.recordedAt)));
  return (
    <>
      {days.map(([date, list]) => (
        <section key={date} aria-label={day(date)}>
          <h3 className="num sticky top-0 z-10 border-b border-line bg-surface py-2 text-xs font-medium text-ink-3">
            {day(date)}
          </h3>
          <ol>
            {list.map((entry) => (
              <Row
                key={entry.sequence}
                entry={entry}
                names={names}
                currency={currency}
                author={authorOf(entry.by)}
                onOpen={onOpen}
              />
            ))}
          </ol>
        </section>
      ))}
      {more && <More load={more} loading={loading} />}
    </>
  );
}

type RowProps = {
  entry: Entry;
  names: Names;
  currency: string;
  author: ReturnType<Authors>;
  onOpen: (entry: Entry) => void;
};

function Row({ entry, names, currency, author, onOpen }: RowProps) {
  const origin = besideAuthor(entry.origin, author.person);
  const effective = effectiveDay(entry.data);
  return (
    <li className="[contain-intrinsic-size:auto_36px] [content-visibility:auto]">
      <button
        type="button"
        onClick={() => onOpen(entry)}
        className="grid min-h-9 w-full grid-cols-[56px_minmax(0,1fr)_220px_64px] items-center gap-4 border-b border-line py-1.5 text-left -outline-offset-2 hover:bg-hover max-[900px]:grid-cols-[minmax(0,1fr)_auto] max-[900px]:gap-x-3 max-[900px]:gap-y-0"
      >
        <span className="num text-ink-3 max-[900px]:hidden">{entry.sequence}</span>
        <span className="min-w-0 max-[900px]:col-span-2">
          <Unbroken text={describe(entry.type, entry.data, names, currency)} />
          {entry.authorGains && <span className="ml-2 text-xs whitespace-nowrap text-neg">the author gains</span>}
          {effective && <span className="num ml-2 text-xs whitespace-nowrap text-ink-3">{day(effective)}</span>}
        </span>
        <span className="flex min-w-0 items-center gap-1.5 text-ink-2 max-[900px]:text-xs">
          <span className="truncate">{author.name}</span>
          {origin && <span className="shrink-0 text-xs text-ink-3">{origin}</span>}
        </span>
        <span className="num text-right text-ink-3 max-[900px]:text-xs">{moment(entry.recordedAt).split(', ')[1]}</span>
      </button>
    </li>
  );
}

/** Loads older entries when it comes into view, or on a click. */
function More({ load, loading }: { load: () => void; loading: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (!button.current || loading) return;
    const watch = new IntersectionObserver(([seen]) => seen?.isIntersecting && latest.current(), {
      rootMargin: '600px',
    });
    watch.observe(button.current);
    return () => watch.disconnect();
  }, [loading]);
  return (
    <Button ref={button} className="mt-4" disabled={loading} onClick={load}>
      {loading ? 'Loading…' : 'Load older entries'}
    </Button>
  );
}
