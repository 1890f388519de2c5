import { counted, words } from '~/format/words';
import { Details } from '~/posting/Details';
import { Banner } from '~/ui/Notice';
import { Facts, Section } from '~/ui/Page';
import { Part } from '~/ui/Part';
import { Findings, findingsOf } from './Findings';
import { Records } from './Records';
import { Rows } from './Rows';
import type { ImportOutcome } from './send';

/** Returns what an import records, such as "12 entries" or "3 rows". */
export function sizeOf(outcome: ImportOutcome): string {
  const valid = (outcome.rows ?? []).filter((row) => row.status !== 'refused').length;
  return outcome.events > 0 ? counted(outcome.events, 'entry', 'entries') : counted(valid, 'row');
}

/** Returns the number of the errors of a file. */
const errorsOf = (outcome: ImportOutcome) =>
  findingsOf(outcome).filter((finding) => finding.severity === 'error').length;

/** Whether a file can be imported, or was imported. */
export function Verdict({ outcome }: { outcome: ImportOutcome }) {
  const errors = errorsOf(outcome);
  if (outcome.accepted && !outcome.dryRun) return <Banner tone="good">Imported.</Banner>;
  if (!outcome.accepted)
    return <Banner tone="bad">{counted(errors, 'error')}. Correct the file and choose it again.</Banner>;
  return <Banner>{errors > 0 ? 'The valid rows can be imported.' : 'The file can be imported.'}</Banner>;
}

/** The result of an import or of its dry run: what it records, and its findings beside rows and objects. */
export function Outcome({ outcome }: { outcome: ImportOutcome }) {
  const counts = Object.entries(outcome.counts);
  return (
    <>
      {outcome.findings.length > 0 && (
        <Section title="Findings" detail={counted(outcome.findings.length, 'finding')}>
          <Findings outcome={{ ...outcome, rows: undefined }} />
        </Section>
      )}
      {outcome.rows && <Rows rows={outcome.rows} />}
      {counts.length > 0 && (
        <Part
          title={outcome.dryRun ? 'What the import records' : 'Recorded'}
          help={counted(outcome.events, 'entry', 'entries')}
        >
          <Facts rows={counts.map(([type, count]) => [words(type), count.toString()])} />
        </Part>
      )}
      {outcome.records && <Records records={outcome.records} />}
      {outcome.details && (
        <Part title="What you confirm" help="The exact request, as the journal will prove it.">
          <Details details={outcome.details} />
        </Part>
      )}
    </>
  );
}
