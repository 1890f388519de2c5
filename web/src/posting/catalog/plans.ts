import { type FieldSpec, type Posting, posting, type StoredRecord } from '../posting';
import { picked, typed } from './figures';

const planTerms = [
  'name',
  'effectiveDate',
  'termYears',
  'boardApprovalDate',
  'stockholderApprovalDate',
  'cancellationBehavior',
  'pools',
  'approvedEquities',
  'securities',
  'vestingSchedules',
  'documents',
  'comments',
] as const;

const poolFields = [
  { name: 'pools.name', label: 'Name' },
  { name: 'pools.security', label: 'Class', help: '' },
  { name: 'pools.totalShares', label: 'Reserved shares', help: '' },
  { name: 'pools.strikePrice', label: 'Exercise price' },
  { name: 'pools.boardApprovalDate', label: 'Board approval', help: 'The day from which the shares are reserved.' },
] as const satisfies FieldSpec[];
const poolTerms = ['id', 'name', 'security', 'totalShares', 'strikePrice', 'boardApprovalDate'] as const;

/** Returns the terms of a plan as they are sent. */
const termsOf = (record: StoredRecord | undefined) => ({
  ...picked(record, [...planTerms, 'externalId']),
  pools: (record?.pools ?? []).map((pool: StoredRecord) => picked(pool, poolTerms)),
});

/** The changes of equity plans. */
export const plans: Record<string, Posting> = {
  createPlan: posting({
    operation: 'createPlan',
    title: 'New plan',
    permission: 'editCapTable',
    fields: planTerms,
    // Without the date of the board approval, the pools would reserve shares from before the first shares were authorized.
    initial: ({ today }) => ({
      effectiveDate: today,
      boardApprovalDate: today,
      cancellationBehavior: 'returnToPool',
      pools: [{}],
    }),
    action: (body) => (body.name ? `Create ${body.name}` : 'Create the plan'),
    done: (answer) => `${answer.name} created`,
    link: (answer) => ({ page: 'plans', open: answer.id }),
    reverse: (answer) => ({ posting: 'deletePlan', record: answer.id, label: 'Delete' }),
  }),
  addPool: posting({
    operation: 'replacePlan',
    title: 'New pool',
    keywords: 'option pool reserve shares',
    permission: 'editIncentivePlan',
    record: 'plan',
    fields: poolFields,
    initial: ({ today }) => ({ pools: { boardApprovalDate: today } }),
    complete: ({ pools }, { record }) => {
      const { pools: present, ...terms } = termsOf(record);
      return { ...terms, pools: [...present, pools] };
    },
    pointer: (sent) => sent.replace(/^\/pools\/\d+/, '/pools'),
    action: ({ pools }) => {
      const { totalShares, name } = (pools ?? {}) as StoredRecord;
      return `Reserve ${typed(totalShares)}shares${name ? ` for ${name}` : ''}`;
    },
    done: (answer) => `Pool added to ${answer.name}`,
    link: (answer) => ({ page: 'plans', open: answer.id }),
  }),
  replacePlan: posting({
    operation: 'replacePlan',
    title: 'Edit',
    permission: 'editIncentivePlan',
    record: 'plan',
    fields: planTerms.map((name) =>
      name === 'pools' ? { name, help: 'A pool with grants cannot be removed.' } : name,
    ),
    initial: ({ record }) => termsOf(record),
    action: () => 'Save the changes',
    done: (answer) => `${answer.name} changed`,
    link: (answer) => ({ page: 'plans', open: answer.id }),
  }),
  repricePlan: posting({
    operation: 'repricePlan',
    title: 'Reprice',
    permission: 'editIncentivePlan',
    record: 'plan',
    applies: (record) => record.pools.some((pool: StoredRecord) => pool.outstanding !== '0'),
    fields: [
      { name: 'exercisePrice', label: 'New exercise price', help: 'Options with a lower price keep it.' },
      'date',
      {
        name: 'pool',
        help: 'Default: all pools of the plan.',
        choices: ({ record }) =>
          (record?.pools ?? []).map((pool: StoredRecord) => ({ value: pool.id, label: pool.name })),
        when: (_, { record }) => record?.pools.length > 1,
      },
      'reason',
    ],
    initial: ({ today }) => ({ date: today }),
    action: () => 'Reprice the options',
    done: (answer) => `${answer.options.length} grants repriced`,
    danger: true,
    confirm: ({ record }) => record?.name ?? '',
  }),
  deletePlan: posting({
    operation: 'deletePlan',
    title: 'Delete',
    permission: 'editIncentivePlan',
    record: 'plan',
    applies: (record) => record.pools.every((pool: StoredRecord) => pool.granted === '0'),
    fields: [],
    action: (_, { record }) => `Delete ${record?.name}`,
    done: () => 'Plan deleted',
    danger: true,
  }),
  expireOptions: posting({
    operation: 'expireOptions',
    title: 'Expire options',
    permission: 'editIncentivePlan',
    fields: [
      { name: 'date', help: 'Options and warrants whose last day is before this date are recorded as expired.' },
    ],
    initial: ({ today }) => ({ date: today }),
    action: () => 'Record expired options',
    done: (answer) => `${answer.data?.length ?? 0} expired grants and warrants recorded`,
  }),
};
