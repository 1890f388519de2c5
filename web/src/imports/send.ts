import type { Schema } from '~/api/client';
import { Problem } from '~/api/problem';
import { type Progress, sendForm } from '~/api/upload';
import { type Reading, readingQuery } from './reading';

export type ImportKind = 'package' | 'members' | 'shareholdings' | 'options';

/** ImportOutcome is the report of an import or of its dry run. Findings stop an import if one is an error. */
export type ImportOutcome = Schema<'ImportReport'>;

export type Import = {
  organization: string;
  kind: ImportKind;
  files: File[];
  /** Only for members: the valid rows are imported although others are refused. */
  partial: boolean;
  dryRun: boolean;
  /** How the cells of a spreadsheet are read. */
  reading: Reading;
  /** The idempotency key of the import. */
  key: string;
};

function pathOf({ organization, kind, partial, dryRun, reading }: Import): string {
  const query = new URLSearchParams(dryRun ? { dryRun: 'true' } : {});
  for (const [name, value] of kind === 'package' ? [] : readingQuery(reading, kind)) query.set(name, value);
  if (kind === 'members' && partial) {
    query.set('organization', organization);
    query.set('partial', 'true');
    return `/organization/member/upload?${query}`;
  }
  if (kind !== 'package') query.set('kind', kind);
  return `/organization/${organization}/import?${query}`;
}

/** Imports a package or a spreadsheet, or reports its effect without recording it. */
export async function sendImport(wanted: Import, progress: Progress): Promise<ImportOutcome> {
  const body = new FormData();
  for (const file of wanted.files) body.append('file', file);
  const headers: Record<string, string> = wanted.dryRun ? {} : { 'Idempotency-Key': wanted.key };
  try {
    return await sendForm<ImportOutcome>(pathOf(wanted), body, headers, progress);
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.faults.length === 0) throw thrown;
    // A refused file lists its findings as faults of the request.
    const findings = thrown.faults.map((fault) => ({ severity: 'error' as const, ...fault }));
    return { dryRun: wanted.dryRun, accepted: false, events: 0, counts: {}, findings };
  }
}
