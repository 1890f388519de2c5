import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Address is the state of a page in its URL. All values are text; lists are separated by commas. */
export type Address = Record<string, string | undefined>;

/** Reads the query of a URL. Unlike the router's own form it never turns text into numbers. */
export const parseSearch = (query: string): Address => Object.fromEntries(new URLSearchParams(query));

/** Writes the query of a URL, without empty values. */
export function stringifySearch(state: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) if (typeof value === 'string' && value) query.set(name, value);
  const text = query.toString();
  return text && `?${text}`;
}

/** Returns the state of the page in its URL, and a function that changes some of it. */
export function useAddress(): [Address, (change: Address, push?: boolean) => void] {
  const state = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback(
    (change: Address, push = false) => {
      navigate({
        to: '.',
        search: (before: Address) => ({ ...before, ...change }),
        replace: !push,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [state, set];
}

/** Returns the values of a list in the URL. */
export const listOf = (value: string | undefined): string[] => (value ? value.split(',') : []);

/** Returns the list with the value added, or removed if it was present; undefined for an empty list. */
export function toggled(list: string[], value: string): string | undefined {
  const next = list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
  return next.length > 0 ? next.join(',') : undefined;
}

/** Returns the text of a field for the URL, in which an absent value means the default and "-" an emptied field. */
export const written = (text: string): string => text || '-';

/** Returns the text of a field from the URL. */
export const textOf = (value: string | undefined, fallback: string): string =>
  value === undefined ? fallback : value === '-' ? '' : value;
