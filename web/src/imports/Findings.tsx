import { sentence } from '~/format/sentence';
import { State } from '~/ui/State';
import { Table } from '~/ui/Table';
import type { ImportOutcome } from './send';

/** Finding is a remark about a place in the file: an object of a package, or a row and a column. */
type Finding = { key: string; severity: 'error' | 'warning'; place: string; message: string };

const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns the place of a finding in words: "Row 3, shares", a cell of a spreadsheet such as "Seed!C4", or the path of an object. */
export function placeOf(pointer: string): string {
  const row = /^\/rows\/([^/]+)(?:\/(.+))?$/.exec(pointer);
  if (row) return `Row ${unescaped(row[1] ?? '')}${row[2] ? `, ${row[2]}` : ''}`;
  const cell = /^\/cells\/(.+)$/.exec(pointer);
  if (cell) return unescaped(cell[1] ?? '');
  return pointer.split('/').filter(Boolean).join(' · ') || 'File';
}

/** Returns the findings of a file and of its rows. */
export function findingsOf(outcome: ImportOutcome): Finding[] {
  const own = outcome.findings.map((finding, index) => ({
    key: `finding ${index}`,
    severity: finding.severity,
    place: placeOf(finding.pointer),
    message: sentence(finding.message),
  }));
  const rows = (outcome.rows ?? []).flatMap((row) =>
    (row.errors ?? []).map((error, index) => ({
      key: `row ${row.line} ${index}`,
      severity: 'error' as const,
      place: error.cell ?? `Row ${row.line}${error.column ? `, ${error.column}` : ''}`,
      message: sentence(error.message),
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
          cell: (row) => <State of={row.severity} />,
        },
        { header: 'Finding', cell: (row) => row.message },
      ]}
    />
  );
}
