import { amount } from '~/format/figures';
import type { Posting } from '../posting';
import { picked, typedAmount } from './figures';

const valuation = [
  'security',
  'type',
  'effectiveDate',
  'expiresOn',
  'pricePerShare',
  'companyValue',
  'provider',
  'comments',
];

/** The changes of valuations, capital and rounds. */
export const values: Record<string, Posting> = {
  recordValuation: {
    operation: 'putValuation',
    title: 'Record valuation',
    permission: 'editCapTable',
    fields: valuation,
    initial: ({ today }) => ({ effectiveDate: today, type: '409A' }),
    complete: (body, { company }) => ({ ...body, organization: company.id }),
    action: () => 'Record the valuation',
    done: () => 'Valuation recorded',
    link: (answer) => ({ page: 'valuations', open: answer.id }),
  },
  changeValuation: {
    operation: 'putValuation',
    title: 'Edit',
    permission: 'editCapTable',
    record: 'valuation',
    fields: valuation,
    initial: ({ record }) => picked(record, valuation),
    complete: (body, { company, record }) => ({ ...body, organization: company.id, id: record?.id }),
    action: () => 'Save the changes',
    done: () => 'Valuation changed',
  },
  recordCapital: {
    operation: 'changeCapital',
    title: 'Record capital change',
    permission: 'editCapTable',
    fields: [{ name: 'entity', label: 'Holder', control: 'holder', required: true }, 'kind', 'amount', 'date', 'note'],
    initial: ({ today }) => ({ date: today, kind: 'contribution' }),
    complete: ({ entity, ...body }, { company }) => ({ ...body, organization: company.id }),
    path: ({ body }) => ({ entity: String(body?.entity ?? '') }),
    action: (body, { company }) => `Record ${typedAmount(body.amount, company.currency)}${body.kind ?? ''}`,
    done: (answer) => `${amount(answer.amount.amount, answer.amount.currency)} recorded`,
  },
  createRound: {
    operation: 'createBlock',
    title: 'New round',
    permission: 'editCapTable',
    fields: ['name', 'kind', 'closeDate', 'preMoney', 'raised', 'securities', 'comments'],
    action: () => 'Create the round',
    done: (answer) => `${answer.name} created`,
  },
  replaceRound: {
    operation: 'replaceBlock',
    title: 'Edit',
    permission: 'editCapTable',
    record: 'block',
    fields: ['name', 'kind', 'closeDate', 'preMoney', 'raised', 'securities', 'comments'],
    initial: ({ record }) =>
      picked(record, ['name', 'kind', 'closeDate', 'preMoney', 'raised', 'securities', 'externalId', 'comments']),
    action: () => 'Save the changes',
    done: (answer) => `${answer.name} changed`,
  },
};
