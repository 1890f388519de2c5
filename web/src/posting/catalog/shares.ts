import { isDecimal } from '~/decimal/decimal';
import { quantity } from '~/format/figures';
import type { Posting } from '../posting';

const shown = (value: unknown) => (typeof value === 'string' && isDecimal(value) ? `${quantity(value)} ` : '');

export const shares: Record<string, Posting> = {
  issueShares: {
    operation: 'issueShareholding',
    title: 'Issue shares',
    permission: 'editCapTable',
    fields: [
      { name: 'entity', label: 'Holder', required: true },
      { name: 'security', label: 'Class' },
      'shares',
      'issueDate',
      'pricePerShare',
      'issuanceType',
      'boardApprovalDate',
      'comments',
    ],
    initial: ({ today }) => ({ issueDate: today }),
    action: (body) => `Issue ${shown(body.shares)}shares`,
    done: (answer) => `${quantity(answer.shares)} shares issued as ${answer.certificate}`,
    link: (answer) => ({ page: 'shares', open: answer.id }),
    reverse: (answer) => ({ posting: 'voidShares', record: answer.id, label: 'Void' }),
  },
  voidShares: {
    operation: 'voidShareholding',
    title: 'Void shares',
    permission: 'editCapTable',
    record: 'shareholding',
    applies: (record) => record.status !== 'void',
    fields: [{ name: 'reason', required: true }],
    action: (_, { record }) => `Void ${record ? shown(record.shares) : ''}shares`,
    done: (answer) => `${answer.certificate} voided`,
    danger: true,
  },
};
