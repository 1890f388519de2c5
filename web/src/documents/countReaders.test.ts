import { describe, expect, it } from 'vitest';
import { readersOf } from './countReaders';

describe('readers of a document', () => {
  it('are counted by person', () => {
    const of = (at: string, person: object, kind: 'view' | 'download') => ({
      at,
      kind,
      versionNumber: 1,
      bytes: 1,
      ...person,
    });
    const readers = readersOf([
      of('2026-03-03T00:00:00Z', { user: 'ada' }, 'view'),
      of('2026-03-02T00:00:00Z', { email: 'auditor@example.com', share: 's' }, 'download'),
      of('2026-03-01T00:00:00Z', { user: 'ada' }, 'download'),
    ]);
    expect(readers).toEqual([
      { key: 'ada', user: 'ada', email: undefined, views: 1, downloads: 1, last: '2026-03-03T00:00:00Z' },
      {
        key: 'auditor@example.com',
        user: undefined,
        email: 'auditor@example.com',
        views: 0,
        downloads: 1,
        last: '2026-03-02T00:00:00Z',
      },
    ]);
  });
});
