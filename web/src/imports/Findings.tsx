import { Chip } from '~/ui/Chip';
import { Table } from '~/ui/Table';
import type { ImportOutcome } from './send';

/** Finding is a remark about a place in the file: an object of a package, or a row and a column. */
type Finding = { key: string; severity: 'error' | 'warning'; place: string; message: string };

/** Returns the place of a finding in words: "Row 3, shares", or the path of an object. */
export function placeOf(pointer: string): string {
  const row = /^\/rows\/(\d+)(?:\/(.+))?$/.exec(pointer);
  if (row) return `Row ${row[1]}${row[2] ? `, ${row[2]}` : ''}`;
  return pointer.split('/').filter(Boolean).join(' · ') || 'File';
}

/** Returns the findings of a file and of its rows. */
export function findingsOf(outcome: ImportOutcome): Finding[] {
  const own = outcome.findings.map((finding, index) => ({
    key: `finding ${index}`,
    severity: finding.severity,
    place: placeOf(finding.pointer),
    message: finding.message,
  }));
  const rows = (outcome.rows ?? []).flatMap((row) =>
    (row.errors ?? []).map((error, index) => ({
      key: `row ${row.line} ${index}`,
      severity: 'error' as const,
      place: `Row ${row.line}${error.column ? `, ${error.column}` : ''}`,
      message: error.message,
    })),
  );
  return [...own, ...rows];
}

/** The findings beside their places in the file. */
export function Findings({ outcome }: { outcome: ImportOutcome }) {
  const findings = findingsOf(outcome);
  if (findings.length === 0) return null;
  return (
    <Table
      label="Findings"
      rows={findings}
      rowKey={(row) => row.key}
      columns={[
        { header: 'Place', cell: (row) => <span className="num break-all">{row.place}</span> },
        {
          header: 'Severity',
          cell: (row) => <Chip tone={row.severity === 'error' ? 'bad' : 'warn'}>{row.severity}</Chip>,
        },
        { header: 'Finding', cell: (row) => row.message },
      ]}
    />
  );
}
