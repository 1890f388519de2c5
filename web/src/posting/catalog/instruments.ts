import { type FieldSpec, type Posting, posting, type StoredRecord } from '../posting';
import { currencyOf, picked, settlement, typed, typedAmount } from './figures';

const open = (record: StoredRecord) =>
  !record.end && !['voided', 'converted', 'repaid', 'cancelled', 'transferred', 'exercised'].includes(record.status);
const loan = (record: StoredRecord) => open(record) && record.kind !== 'warrant';

const amendable = [
  'maturityDate',
  'interest',
  'valuationCap',
  'capBasis',
  'discount',
  'mfn',
  'proRata',
  'exitMultiple',
  'seniority',
  'exercisePrice',
  'expirationDate',
  'conversionTerms',
  'boardApprovalDate',
  'block',
  'comments',
] as const;

/** The terms of debts and SAFEs, and those of warrants. The other kind's fields are left out. */
const ofWarrants = new Set<string>(['exercisePrice', 'expirationDate', 'coverage', 'security', 'quantity']);
const ofBoth = new Set<string>(['entity', 'issueDate', 'boardApprovalDate', 'block', 'comments', 'reason']);
const ofKind = <Name extends string>(names: readonly Name[]): FieldSpec<Name>[] =>
  names.map((name) => ({
    name,
    ...(name === 'block' && { label: 'Round' }),
    ...(name === 'conversionTerms' && { control: 'long' as const }),
    when: (_, { record }) => ofBoth.has(name) || ofWarrants.has(name) === (record?.kind === 'warrant'),
  }));

const corrected = ['issueDate', 'principal', 'security', 'quantity', ...amendable, 'coverage'] as const;

/** The changes of notes, SAFEs and warrants. */
export const instruments: Record<string, Posting> = {
  acceptInstrument: posting({
    operation: 'acceptHolding',
    title: 'Accept',
    holderOr: 'editCapTable',
    record: 'holding',
    applies: (record) => open(record) && !record.acceptedOn,
    fields: ['date'],
    initial: ({ today }) => ({ date: today }),
    action: () => 'Accept',
    done: () => 'Accepted',
  }),
  convertInstrument: posting({
    operation: 'convertHolding',
    title: 'Convert',
    permission: 'editCapTable',
    record: 'holding',
    applies: loan,
    fields: [
      { name: 'security', label: 'Into the class' },
      'date',
      {
        name: 'pricePerShare',
        label: 'Price of the round',
        help: 'What others pay for a share. Without it, the cap sets the price.',
      },
      {
        name: 'elects',
        label: 'Adopted terms',
        control: 'laterInstrument',
        when: (_, { record }) => record?.mfn === true,
        help: 'A later instrument whose terms the holder adopts.',
      },
      { name: 'capitalization', help: 'The shares that divide the cap. Default: the company on the day.' },
    ],
    initial: ({ today }) => ({ date: today }),
    action: () => 'Convert into shares',
    done: (answer) => `Converted into ${typed(answer.shareholdings?.[0]?.shares)}shares`,
    link: (answer) => ({ page: 'shares', open: answer.shareholdings?.[0]?.id }),
  }),
  repayInstrument: posting({
    operation: 'repayHolding',
    title: 'Repay',
    permission: 'editCapTable',
    record: 'holding',
    applies: loan,
    fields: ['amount', 'date', 'interestFirst'],
    initial: (context) => ({
      date: context.today,
      amount: settlement(context.record?.balance, currencyOf(context)),
    }),
    action: (body, context) => `Repay ${typedAmount(body.amount, currencyOf(context))}`.trim(),
    done: () => 'Repayment recorded',
  }),
  exerciseWarrant: posting({
    operation: 'exerciseHolding',
    title: 'Exercise',
    permission: 'editCapTable',
    record: 'holding',
    applies: (record) => open(record) && record.kind === 'warrant',
    fields: [
      'quantity',
      'date',
      'payment',
      { name: 'security', label: 'Class', when: (_, { record }) => record?.security === undefined },
      { name: 'marketValue', label: 'Market value per share', when: (body) => body.payment === 'net' },
    ],
    exercise: ({ quantity, payment, marketValue }) => ({ quantity, payment, marketValue }),
    initial: ({ today, record }) => ({ date: today, quantity: record?.left ?? record?.quantity, payment: 'cash' }),
    action: (body) => `Exercise ${typed(body.quantity)}shares`,
    done: (answer) => `${typed(answer.shareholding?.shares)}shares issued by exercise`,
    link: (answer) => ({ page: 'shares', open: answer.shareholding?.id }),
  }),
  transferInstrument: posting({
    operation: 'transferHolding',
    title: 'Transfer',
    permission: 'editCapTable',
    record: 'holding',
    applies: open,
    fields: [
      { name: 'to', label: 'New holder' },
      {
        name: 'amount',
        when: (_, { record }) => record?.kind !== 'warrant',
        help: 'A part of the principal. Default: all of it.',
      },
      {
        name: 'quantity',
        when: (_, { record }) => record?.kind === 'warrant',
        help: 'A part of the quantity. Default: all of it.',
      },
      'date',
      'kind',
      { name: 'price', inCompanyCurrency: true },
      'reason',
    ],
    initial: ({ today }) => ({ date: today, kind: 'sale' }),
    action: () => 'Transfer',
    done: () => 'Transferred',
  }),
  correctInstrument: posting({
    operation: 'correctHolding',
    title: 'Correct',
    permission: 'editCapTable',
    record: 'holding',
    applies: (record) => record.status !== 'voided',
    fields: [
      { name: 'entity', label: 'Investor', required: true },
      ...ofKind(corrected),
      { name: 'reason', help: 'The reason of the correction. The journal keeps the earlier terms.' },
    ],
    initial: ({ record }) => picked(record, ['kind', 'entity', ...corrected, 'fixedConversion', 'externalId']),
    action: () => 'Correct the entry',
    done: () => 'Entry corrected',
  }),
  amendInstrument: posting({
    operation: 'amendHolding',
    title: 'Amend',
    permission: 'editCapTable',
    record: 'holding',
    applies: open,
    fields: ofKind(amendable),
    initial: ({ record }) => picked(record, amendable),
    action: () => 'Save the changes',
    done: () => 'Terms amended',
  }),
  cancelInstrument: posting({
    operation: 'cancelHolding',
    title: 'Cancel',
    permission: 'editCapTable',
    record: 'holding',
    applies: open,
    fields: [
      {
        name: 'amount',
        when: (_, { record }) => record?.kind !== 'warrant',
        help: 'A part of the principal. Default: all of it.',
      },
      {
        name: 'quantity',
        when: (_, { record }) => record?.kind === 'warrant',
        help: 'A part of the quantity. Default: all of it.',
      },
      'date',
      { name: 'reason', required: true },
    ],
    initial: ({ today }) => ({ date: today }),
    action: (body) => (body.amount || body.quantity ? 'Cancel the part' : 'Cancel all of it'),
    done: () => 'Cancelled',
    danger: true,
  }),
  voidInstrument: posting({
    operation: 'voidHolding',
    title: 'Void',
    permission: 'editCapTable',
    record: 'holding',
    applies: (record) => record.status !== 'voided',
    fields: [{ name: 'reason', required: true }],
    action: () => 'Void the entry',
    done: () => 'Entry voided',
    danger: true,
  }),
};
