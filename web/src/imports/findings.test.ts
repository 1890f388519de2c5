import { describe, expect, it } from 'vitest';
import { findingsOf } from './Findings';

describe('findings of an import', () => {
  it('name rows and columns', () => {
    const outcome = {
      dryRun: true,
      accepted: false,
      events: 0,
      counts: {},
      findings: [
        { severity: 'error' as const, pointer: '/rows/3/shares', code: 'invalidDecimal', message: 'No number.' },
      ],
      rows: [
        {
          line: 4,
          status: 'refused' as const,
          errors: [{ column: 'holder', code: 'unknownReference', message: 'Unknown.' }],
        },
      ],
    };
    expect(findingsOf(outcome).map((one) => one.place)).toEqual(['Row 3, shares', 'Row 4, holder']);
  });
  it('name cells and rows of sheets', () => {
    const findings = [
      { severity: 'warning' as const, pointer: '/cells/Seed ~1 A!C4', code: 'x', message: 'm', cell: 'Seed / A!C4' },
      { severity: 'error' as const, pointer: '/rows/Seed!4/shares', code: 'x', message: 'm' },
    ];
    const rows = [
      { line: 4, status: 'refused' as const, errors: [{ column: 'holder', cell: 'A4', code: 'x', message: 'm' }] },
    ];
    expect(
      findingsOf({ dryRun: true, accepted: false, events: 0, counts: {}, findings, rows }).map((one) => one.place),
    ).toEqual(['Seed / A!C4', 'Row Seed!4, shares', 'A4']);
  });
  it('name objects of packages', () => {
    const findings = [
      { severity: 'warning' as const, pointer: '/TX_STOCK_ISSUANCE/5d/stakeholder_id', code: 'x', message: 'm' },
    ];
    expect(findingsOf({ dryRun: true, accepted: true, events: 1, counts: {}, findings })[0]?.place).toBe(
      'TX_STOCK_ISSUANCE · 5d · stakeholder_id',
    );
  });
});
