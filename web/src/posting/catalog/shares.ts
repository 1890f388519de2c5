import { quantity } from '~/format/figures';
import { type Posting, posting, type StoredRecord } from '../posting';
import { picked, typed } from './figures';

const ended = new Set([
  'transferred',
  'repurchased',
  'cancelled',
  'converted',
  'reissued',
  'consolidated',
  'retracted',
  'voided',
]);
const current = (record: StoredRecord) => !ended.has(record.status);

const terms = [
  'shareholderName',
  'certificate',
  'pricePerShare',
  'issuanceType',
  'vestingSchedule',
  'vestingStart',
  'legends',
  'boardApprovalDate',
  'rule144Date',
  'block',
  'comments',
] as const;

const labels: Record<string, string> = { comments: 'Note', block: 'Round' };
const termFields = terms.map((name) => ({ name, ...(labels[name] && { label: labels[name] }) }));

/** Terms of a shareholding that its correction keeps, without a field in the form. */
const kept = ['plan', 'pool', 'consideration', 'vestings', 'externalId'] as const;

const made = (answer: StoredRecord) => ({ page: 'shares', open: answer.id as string });

/** The record to show after shares ended: the remaining shareholding, or else the ended one. */
const ending = (answer: StoredRecord) => made(answer.balance ?? answer.from);

/** The changes of shareholdings. */
export const shares: Record<string, Posting> = {
  issueShares: posting({
    operation: 'issueShareholding',
    title: 'Issue shares',
    permission: 'editCapTable',
    fields: [
      { name: 'entity', label: 'Holder', required: true },
      { name: 'security', label: 'Class' },
      'shares',
      'issueDate',
      'pricePerShare',
      { name: 'consideration.cash', label: 'Paid in cash' },
      'issuanceType',
      'vestingSchedule',
      { name: 'vestingStart', when: (body) => body.vestingSchedule !== undefined },
      'legends',
      'boardApprovalDate',
      { name: 'block', label: 'Round' },
      { name: 'comments', label: 'Note' },
    ],
    initial: ({ today }) => ({ issueDate: today }),
    action: (body) => `Issue ${typed(body.shares)}shares`,
    done: (answer) => `${quantity(answer.shares)} shares issued as ${answer.certificate}`,
    link: made,
    reverse: (answer) => ({ posting: 'voidShares', record: answer.id, label: 'Void' }),
  }),
  transferShares: posting({
    operation: 'transferShareholding',
    title: 'Transfer',
    permission: 'editCapTable',
    record: 'shareholding',
    applies: current,
    fields: [{ name: 'to', label: 'New holder' }, 'shares', 'date', 'kind', 'pricePerShare', 'reason'],
    initial: ({ today, record }) => ({ date: today, shares: record?.shares, kind: 'sale' }),
    complete: (body, { record }) => ({ ...body, shareholding: record?.id }),
    action: (body) => `Transfer ${typed(body.shares)}shares`,
    done: (answer) => `Transferred as ${answer.to.certificate}`,
    link: (answer) => made(answer.to),
  }),
  acceptShares: posting({
    operation: 'acceptShareholding',
    title: 'Accept',
    holderOr: 'editCapTable',
    record: 'shareholding',
    applies: (record) => record.status === 'active' && !record.acceptedOn,
    fields: ['date'],
    initial: ({ today }) => ({ date: today }),
    action: () => 'Accept the shares',
    done: (answer) => `${answer.certificate} accepted`,
    link: made,
  }),
  repurchaseShares: posting({
    operation: 'repurchaseShareholding',
    title: 'Repurchase',
    permission: 'editCapTable',
    record: 'shareholding',
    applies: current,
    fields: ['shares', 'price', 'date', 'toTreasury', 'reason'],
    initial: ({ today, record }) => ({
      date: today,
      shares: record?.repurchasable?.shares ?? record?.shares,
      price: record?.repurchasable?.pricePerShare,
    }),
    action: (body) => `Repurchase ${typed(body.shares)}shares`,
    done: (_, body) => `${typed(body.shares)}shares repurchased`,
    link: ending,
  }),
  convertShares: posting({
    operation: 'convertShareholding',
    title: 'Convert',
    permission: 'editCapTable',
    record: 'shareholding',
    applies: current,
    fields: [{ name: 'security', label: 'Into the class' }, 'date'],
    initial: ({ today }) => ({ date: today }),
    action: (_, { record }) => `Convert ${typed(record?.shares)}shares`,
    done: (answer) => `Converted into ${answer.results.map((one: StoredRecord) => one.certificate).join(', ')}`,
    link: (answer) => (answer.results[0] ? made(answer.results[0]) : ending(answer)),
  }),
  cancelShares: posting({
    operation: 'cancelShareholding',
    title: 'Cancel',
    permission: 'editCapTable',
    record: 'shareholding',
    applies: current,
    fields: ['shares', 'date', { name: 'reason', required: true }],
    initial: ({ today, record }) => ({ date: today, shares: record?.shares }),
    action: (body) => `Cancel ${typed(body.shares)}shares`,
    done: (_, body) => `${typed(body.shares)}shares cancelled`,
    link: ending,
    danger: true,
  }),
  amendShares: posting({
    operation: 'amendShareholding',
    title: 'Amend',
    permission: 'editCapTable',
    record: 'shareholding',
    applies: current,
    fields: termFields,
    initial: ({ record }) => picked(record, terms),
    action: () => 'Save the changes',
    done: (answer) => `${answer.certificate} amended`,
    link: made,
  }),
  correctShares: posting({
    operation: 'correctShareholding',
    title: 'Correct',
    permission: 'editCapTable',
    record: 'shareholding',
    applies: current,
    fields: [
      { name: 'entity', label: 'Holder' },
      { name: 'security', label: 'Class' },
      'shares',
      'issueDate',
      ...termFields,
      { name: 'reason', required: true },
    ],
    initial: ({ record }) => picked(record, ['entity', 'security', 'shares', 'issueDate', ...terms, ...kept]),
    action: () => 'Correct the entry',
    done: (answer) => `${answer.certificate} corrected`,
    link: made,
  }),
  voidShares: posting({
    operation: 'voidShareholding',
    title: 'Void',
    permission: 'editCapTable',
    record: 'shareholding',
    applies: (record) => record.status !== 'voided',
    fields: [{ name: 'reason', required: true }],
    action: (_, { record }) => `Void ${typed(record?.shares)}shares`,
    done: (answer) => `${answer.certificate} voided`,
    link: made,
    danger: true,
  }),
};
