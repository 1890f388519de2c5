import { counted, words } from '~/format/words';
import { Details } from '~/posting/Details';
import { Banner } from '~/ui/Notice';
import { Facts, Section } from '~/ui/Page';
import { Findings, findingsOf } from './Findings';
import { Records } from './Records';
import { Rows } from './Rows';
import type { ImportOutcome } from './send';

/** Returns what an import records, such as "12 entries" or "3 rows". */
export function sizeOf(outcome: ImportOutcome): string {
  const valid = (outcome.rows ?? []).filter((row) => row.status !== 'refused').length;
  return outcome.events > 0 ? counted(outcome.events, 'entry', 'entries') : counted(valid, 'row');
}

const verdict = (outcome: ImportOutcome, errors: number) => {
  if (outcome.accepted && !outcome.dryRun) return <Banner tone="good">Imported.</Banner>;
  if (!outcome.accepted)
    return <Banner tone="bad">{counted(errors, 'error')}. Correct the file and choose it again.</Banner>;
  return <Banner>{errors > 0 ? 'The valid rows can be imported.' : 'The file can be imported.'}</Banner>;
};

/** The result of an import or of its dry run: what it records, and its findings beside rows and objects. */
export function Outcome({ outcome }: { outcome: ImportOutcome }) {
  const errors = findingsOf(outcome).filter((finding) => finding.severity === 'error').length;
  const counts = Object.entries(outcome.counts);
  return (
    <div className="mt-6 flex flex-col gap-2">
      {verdict(outcome, errors)}
      {outcome.findings.length > 0 && (
        <Section title="Findings" detail={counted(outcome.findings.length, 'finding')}>
          <Findings outcome={{ ...outcome, rows: undefined }} />
        </Section>
      )}
      {counts.length > 0 && (
        <Section
          title={outcome.dryRun ? 'What the import records' : 'Recorded'}
          detail={counted(outcome.events, 'entry', 'entries')}
        >
          <Facts rows={counts.map(([type, count]) => [words(type), count.toString()])} />
        </Section>
      )}
      {outcome.details && (
        <Section title="What you confirm">
          <Details details={outcome.details} />
        </Section>
      )}
      {outcome.records && <Records records={outcome.records} />}
      {outcome.rows && <Rows rows={outcome.rows} />}
    </div>
  );
}
