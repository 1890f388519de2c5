import type { Schema } from '~/api/client';
import { readProblem } from '~/api/problem';

export type ImportKind = 'package' | 'members' | 'shareholdings' | 'options';

/** ImportOutcome is the report of an import or of its dry run. Findings stop an import if one is an error. */
export type ImportOutcome = Schema<'ImportReport'>;

/** Imports a package or a spreadsheet, or reports its effect without recording it. */
export async function sendImport(
  organization: string,
  kind: ImportKind,
  file: File,
  dryRun: boolean,
  key: string,
): Promise<ImportOutcome> {
  const query = new URLSearchParams({ ...(kind !== 'package' && { kind }), ...(dryRun && { dryRun: 'true' }) });
  const body = new FormData();
  body.append('file', file);
  const headers: Record<string, string> = { Accept: 'application/json', ...(!dryRun && { 'Idempotency-Key': key }) };
  const response = await fetch(`/v1/organization/${organization}/import?${query}`, { method: 'POST', headers, body });
  if (response.ok) return response.json();
  const problem = await readProblem(response);
  if (problem.faults.length === 0) throw problem;
  // A refused file lists its findings as faults of the request.
  const findings = problem.faults.map((fault) => ({ severity: 'error' as const, ...fault }));
  return { dryRun, accepted: false, events: 0, counts: {}, findings };
}
