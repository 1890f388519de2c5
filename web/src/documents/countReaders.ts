import type { Schema } from '~/api/client';

type View = Schema<'DocumentViewList'>['data'][number];

/** Reader is a person who read a document: how often, how often as a download, and when for the last time. */
export type Reader = { key: string; user?: string; email?: string; views: number; downloads: number; last: string };

/** Returns the readers of a document, the latest first. The views are ordered so. */
export function readersOf(views: readonly View[]): Reader[] {
  const readers = new Map<string, Reader>();
  for (const { user, email, at, kind } of views) {
    const key = email ?? user ?? '';
    const reader = readers.get(key) ?? { key, user, email, views: 0, downloads: 0, last: at };
    reader[kind === 'download' ? 'downloads' : 'views']++;
    readers.set(key, reader);
  }
  return [...readers.values()];
}
