import { useMemo } from 'react';
import { today } from '~/format/dates';
import { useAddress } from '~/shell/address';

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
  set: (change: { asOf?: string; knownAt?: string }) => void;
};

/** Returns the day that the page shows. It is stored in the URL. */
export function useDay(): Day {
  const [{ asOf, knownAt }, setAddress] = useAddress();
  return useMemo(
    () => ({
      asOf,
      knownAt,
      date: asOf ?? today(),
      past: asOf !== undefined || knownAt !== undefined,
      query: { ...(asOf && { asOf }), ...(knownAt && { knownAt }) },
      set: (change) => setAddress({ ...change }),
    }),
    [asOf, knownAt, setAddress],
  );
}
