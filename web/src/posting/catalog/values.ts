import { price } from '~/format/figures';
import { type Body, type Posting, posting, type StoredRecord } from '../posting';
import { picked, typedAmount } from './figures';

const valuation = [
  'security',
  'type',
  'effectiveDate',
  'expiresOn',
  'pricePerShare',
  'companyValue',
  'provider',
  'document',
  'comments',
] as const;

const capital = ['kind', 'amount', 'date', 'note'] as const;
const same = (a: Body, b: Body) => JSON.stringify(a) === JSON.stringify(b);

const typeNames = { '409A': '409A', funding: 'Funding', board: 'Board', other: 'Other' };
const valuationFields = valuation.map((name) => {
  if (name === 'type')
    return { name, choices: () => Object.entries(typeNames).map(([value, label]) => ({ value, label })) };
  return name === 'security' ? { name, label: 'Class' } : name === 'document' ? { name, label: 'Report' } : name;
});

const shownRound = (answer: StoredRecord) => ({ page: 'rounds', open: answer.id as string, tab: 'closed' });

/** The changes of valuations, capital and rounds. */
export const values: Record<string, Posting> = {
  recordValuation: posting({
    operation: 'putValuation',
    title: 'Record valuation',
    permission: 'editCapTable',
    fields: valuationFields,
    initial: ({ today }) => ({ effectiveDate: today, type: '409A' }),
    complete: (body, { company }) => ({ ...body, organization: company.id }),
    action: () => 'Record the valuation',
    done: () => 'Valuation recorded',
    link: (answer) => ({ page: 'valuations', open: answer.id }),
  }),
  changeValuation: posting({
    operation: 'putValuation',
    title: 'Edit',
    permission: 'editCapTable',
    record: 'valuation',
    fields: valuationFields,
    initial: ({ record }) => picked(record, [...valuation, 'externalId']),
    complete: (body, { company, record }) => ({ ...body, organization: company.id, id: record?.id }),
    action: () => 'Save the changes',
    done: () => 'Valuation changed',
  }),
  recordCapital: posting({
    operation: 'changeCapital',
    title: 'Record capital change',
    permission: 'editCapTable',
    fields: [
      { name: 'entity', ofForm: true, label: 'Holder', control: 'holder', required: true },
      'kind',
      'amount',
      'date',
      'note',
    ],
    initial: ({ today }) => ({ date: today, kind: 'contribution' }),
    complete: ({ entity, ...body }, { company }) => ({ ...body, organization: company.id }),
    path: ({ body }) => ({ entity: String(body?.entity ?? '') }),
    action: (body, { company }) => `Record ${typedAmount(body.amount, company.currency)}${body.kind ?? ''}`,
    done: (answer) => `${price(answer.amount)} recorded`,
    link: (answer) => ({ page: 'capital', open: answer.id }),
  }),
  amendCapital: posting({
    operation: 'amendCapitalChange',
    title: 'Edit',
    permission: 'editCapTable',
    record: 'capitalChange',
    fields: capital,
    initial: ({ record }) => picked(record, capital),
    // The patch names its record, so that a changed body also has the id and the organization.
    complete: (body, { company, record }) =>
      same(body, picked(record, capital)) ? body : { ...body, organization: company.id, id: record?.id },
    path: ({ record }) => ({ entity: String(record?.entity ?? '') }),
    action: () => 'Save the changes',
    done: () => 'Capital change amended',
  }),
  createRound: posting({
    operation: 'createBlock',
    title: 'New round',
    permission: 'editCapTable',
    fields: ['name', 'kind', 'closeDate', 'preMoney', 'raised', 'securities', 'comments'],
    action: () => 'Create the round',
    done: (answer) => `${answer.name} created`,
    link: shownRound,
    reverse: (answer) => ({ posting: 'deleteRound', record: answer.id, label: 'Delete' }),
  }),
  replaceRound: posting({
    operation: 'replaceBlock',
    title: 'Edit',
    permission: 'editCapTable',
    record: 'block',
    fields: ['name', 'kind', 'closeDate', 'preMoney', 'raised', 'securities', 'comments'],
    initial: ({ record }) =>
      picked(record, ['name', 'kind', 'closeDate', 'preMoney', 'raised', 'securities', 'externalId', 'comments']),
    action: () => 'Save the changes',
    done: (answer) => `${answer.name} changed`,
    link: shownRound,
  }),
  deleteRound: posting({
    operation: 'deleteBlock',
    title: 'Delete',
    permission: 'editCapTable',
    record: 'block',
    applies: (record) => record.holdings.length === 0,
    fields: [],
    action: (_, { record }) => `Delete ${record?.name}`,
    done: () => 'Round deleted',
    danger: true,
  }),
};
