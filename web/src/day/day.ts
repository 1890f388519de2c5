import { useMemo } from 'react';
import { today } from '~/format/dates';
import { type Address, useAddress } from '~/shell/address';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The part of a chosen day that the page cannot show: the effective day, or all of it, so that it shows today. */
    undated?: 'asOf' | 'all';
  }
}

/** Day is the point in time that the pages of a company show. */
export type Day = {
  /** The effective day; undefined is today. */
  asOf: string | undefined;
  /** The moment or the sequence of the journal whose knowledge is shown; undefined is everything known. */
  knownAt: string | undefined;
  /** The day as a date. */
  date: string;
  /** Whether the page shows the past, so that nothing can be changed. */
  past: boolean;
  /** The query parameters for reads. */
  query: { asOf?: string; knownAt?: string };
  /** Whether the scrubber is open. */
  scrubbing: boolean;
  set: (change: { asOf?: string; knownAt?: string; time?: string }) => void;
};

/** Returns the query parameters for reads on the day in an address. */
export const dayIn = ({ asOf, knownAt }: Address): Day['query'] => ({
  ...(asOf && { asOf }),
  ...(knownAt && { knownAt }),
});

/** Returns the search of a link to another page of the company: the day of the present page, and the state of the other one. */
export const onSameDay =
  (state: Address = {}) =>
  ({ asOf, knownAt, time }: Address): Address => ({ asOf, knownAt, time, ...state });

/** Returns the rows up to the effective day; all of them today. Rows without a date have not happened. */
export const until = <Row>(asOf: string | undefined, rows: Row[], dateOf: (row: Row) => string | undefined): Row[] =>
  rows.filter((row) => {
    const date = dateOf(row);
    return asOf === undefined || (date !== undefined && date <= asOf);
  });

/** Returns the day that the page shows. It is stored in the URL. */
export function useDay(): Day {
  const [{ asOf, knownAt, time }, setAddress] = useAddress();
  return useMemo(
    () => ({
      asOf,
      knownAt,
      date: asOf ?? today(),
      past: asOf !== undefined || knownAt !== undefined,
      scrubbing: time === 'open',
      query: dayIn({ asOf, knownAt }),
      set: (change) => setAddress({ ...change }),
    }),
    [asOf, knownAt, time, setAddress],
  );
}
