import type { Schema } from '~/api/client';

export type Origin = Schema<'JournalOrigin'>;

/** The origins of entries: their names, and the words beside an author. */
const words: Record<Origin, { label: string; beside: string }> = {
  request: { label: 'Direct request', beside: '' },
  import: { label: 'Import', beside: 'imported' },
  assistant: { label: 'Assistant', beside: 'by the assistant' },
  onboarding: { label: 'Onboarding', beside: 'onboarding' },
  system: { label: 'Server', beside: 'server' },
};

/** The origins by which the journal can be filtered. */
export const origins = Object.entries(words).map(([value, { label }]) => ({ value, label }));

/** Reports whether a text is an origin. */
export const isOrigin = (text: string | undefined): text is Origin => text !== undefined && Object.hasOwn(words, text);

/** Returns the name of an origin. Entries recorded before origins existed have none. */
export const originName = (origin: Origin | undefined): string => (origin ? words[origin].label : 'Not recorded');

/** Returns the words beside the author of an entry; empty for a direct request. Without an origin, only the server is named. */
export const besideAuthor = (origin: Origin | undefined, person: boolean): string =>
  origin ? words[origin].beside : person ? '' : words.system.beside;
