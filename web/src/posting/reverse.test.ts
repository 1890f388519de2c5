import { describe, expect, it } from 'vitest';
import { catalog } from './catalog';

/** The postings that no operation of the contract reverses, with the ways to correct them. */
const irreversible: Record<string, string[]> = {
  'The same form sets the earlier values.': [
    ...[
      'amendMember',
      'replaceRole',
      'changeCompany',
      'changeCertificates',
      'amendGrant',
      'correctGrant',
      'replaceClass',
    ],
    ...[
      'amendLegend',
      'amendShares',
      'correctShares',
      'changeValuation',
      'amendCapital',
      'replaceRound',
      'replacePlan',
      'addPool',
    ],
    ...['correctInstrument', 'amendInstrument', 'recordValuation', 'recordCapital'],
  ],
  'The record is created again.': [
    ...['deleteRole', 'deleteSchedule', 'deleteClass', 'deleteLegend', 'deleteRound', 'deletePlan'],
    ...['voidGrant', 'voidShares', 'voidInstrument', 'cancelGrant', 'cancelShares', 'cancelInstrument'],
    'withdrawInvitation',
  ],
  'Records that resulted from another one cannot be voided. An opposite change is recorded.': [
    ...[
      'transferShares',
      'transferInstrument',
      'repurchaseShares',
      'convertShares',
      'convertInstrument',
      'repayInstrument',
    ],
    ...['exerciseGrant', 'acceptExercise', 'exerciseWarrant', 'releaseGrant', 'closeRound', 'splitClass'],
  ],
  'The contract has no opposite change.': [
    ...['acceptShares', 'acceptInstrument', 'acceptGrant', 'requestExercise', 'declineExercise', 'terminateGrant'],
    ...['accelerateGrant', 'reachMilestone', 'repricePlan', 'expireOptions', 'authorizeShares'],
    'createSchedule', // deleted only once a plan lists it
    'inviteHolder', // a withdrawal would remove the stakeholder
  ],
};

const answer = { id: 'a', results: [{ outcome: 'sent', member: 'm' }] };

describe('reverse operations', () => {
  it('are those of the catalog', () => {
    for (const [name, { reverse, record }] of Object.entries(catalog)) {
      const found = reverse?.(answer);
      if (!found) continue;
      const target = catalog[found.posting];
      expect(target, `${name}: ${found.posting}`).toBeDefined();
      expect(target?.record, `${name}: ${found.posting} changes a record`).toBeDefined();
      if (record && name !== 'grantHolder') expect(target?.record, name).toBe(record);
    }
  });

  it('exist for each posting, or the contract has none', () => {
    const without = Object.keys(catalog).filter((name) => !catalog[name]?.reverse);
    expect(without.sort()).toEqual(Object.values(irreversible).flat().sort());
  });

  it('withdraw the invitations that were sent', () => {
    const results = [
      { outcome: 'sent', member: 'a' },
      { outcome: 'member', member: 'b' },
      { outcome: 'sent', member: 'c' },
      { outcome: 'tooOften' },
    ];
    expect(catalog.inviteMembers?.reverse?.({ results })).toMatchObject({
      posting: 'withdrawInvitation',
      record: 'a,c',
    });
    expect(catalog.inviteMembers?.reverse?.({ results: results.slice(1, 2) })).toBeUndefined();
  });
});
