import type { ImportKind, ImportOutcome } from './send';

/**
 * RefusedImport is the last refused import of a user in a company. The server keeps nothing of a refused file, and a dry run changes
 * nothing there, so the browser keeps the record.
 */
export type RefusedImport = {
  organization: string;
  kind: ImportKind;
  /** The name of the file, or of the first of several. */
  file: string;
  /** The number of findings that are errors. */
  errors: number;
  /** The moment of the refusal. */
  at: string;
};

const most = 20; // companies
const keyOf = (user: string) => `refused imports ${user}`;

/** Returns the refused imports of a user, newest first. */
export function refusedImports(user: string): RefusedImport[] {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(user)) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

function store(user: string, imports: RefusedImport[]): void {
  try {
    if (imports.length > 0) localStorage.setItem(keyOf(user), JSON.stringify(imports.slice(0, most)));
    else localStorage.removeItem(keyOf(user));
  } catch {
    // Without storage, the home page does not list the import.
  }
}

/** Removes the refused import of a company. */
export function forgetRefused(user: string, organization: string): void {
  store(
    user,
    refusedImports(user).filter((one) => one.organization !== organization),
  );
}

const errorsOf = ({ findings, rows }: ImportOutcome): number =>
  findings.filter((finding) => finding.severity === 'error').length +
  (rows ?? []).reduce((sum, row) => sum + (row.errors ?? []).length, 0);

/** Keeps the result of a file: a refused one is recorded, and an import ends the record of its kind. A valid file changes nothing. */
export function keepResult(
  user: string,
  organization: string,
  { kind, files }: { kind: ImportKind; files: File[] },
  outcome: ImportOutcome,
): void {
  const others = refusedImports(user).filter((one) => one.organization !== organization);
  if (!outcome.accepted) {
    const refused = { organization, kind, file: files[0]?.name ?? '', errors: errorsOf(outcome) };
    store(user, [{ ...refused, at: new Date().toISOString() }, ...others]);
  } else if (!outcome.dryRun) {
    const kept = refusedImports(user).filter((one) => one.organization !== organization || one.kind !== kind);
    store(user, kept);
  }
}
