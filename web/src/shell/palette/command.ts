import { missing, searchable } from './match';

/** Command is an entry of the palette. `text` is its searchable form. */
export type Command = { value: string; label: string; detail?: string; hint?: string; text: string; run: () => void };
export type Group = { value: string; items: Command[] };

type Extra = { detail?: string; hint?: string; keywords?: string; value?: string };

export const command = (label: string, run: () => void, { value, keywords = '', ...shown }: Extra = {}): Command => ({
  value: value ?? `${label} ${shown.detail ?? ''}`,
  label,
  run,
  text: searchable(`${label} ${shown.detail ?? ''} ${keywords}`),
  ...shown,
});

/** Returns the groups with the commands that contain all words. Matches of the label come before those of other words. */
export function matching(groups: Group[], words: string[]): Group[] {
  const rank = (one: Command) => (missing(words, searchable(one.label)).length === 0 ? 0 : 1);
  return groups
    .map(({ value, items }) => ({
      value,
      items: items.filter((one) => missing(words, one.text).length === 0).sort((a, b) => rank(a) - rank(b)),
    }))
    .filter((group) => group.items.length > 0);
}
