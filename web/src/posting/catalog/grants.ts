import { openEvents } from '~/grants/curve';
import { nounOf, reasonChoices, typeChoices } from '~/grants/kinds';
import { type FieldSpec, type Posting, posting, type StoredRecord } from '../posting';
import { picked, some, typed } from './figures';

const open = (record: StoredRecord) => record.outstanding !== '0' && !record.end;
const held = ({ record }: { record?: StoredRecord }) => ({ holding: String(record?.id) });

const type = { name: 'type', label: 'Type', required: true, choices: () => typeChoices } as const satisfies FieldSpec;
const price = {
  name: 'exercisePrice',
  help: 'Default: the price of the pool.',
  when: (body) => body.type !== 'rsu',
} as const satisfies FieldSpec;
const vesting = [
  { name: 'vestingSchedule', help: 'Without a schedule, the grant is vested from the first day.' },
  { name: 'vestingStart', when: (body) => body.vestingSchedule !== undefined },
] as const satisfies (string | FieldSpec)[];

const grant = posting({
  operation: 'createHolding',
  title: 'Grant options',
  keywords: 'issue units rights',
  permission: 'editIncentivePlan',
  fields: [
    { name: 'entity', label: 'Grantee', required: true },
    { name: 'pool', control: 'poolOfPlan', required: true },
    type,
    { name: 'quantity', required: true },
    { name: 'issueDate', label: 'Grant date' },
    price,
    ...vesting,
    'earlyExercise',
    'expirationDate',
    'boardApprovalDate',
    { name: 'terminationWindows', label: 'Exercise after leaving' },
    { name: 'comments', label: 'Note' },
  ],
  initial: ({ today }) => ({ issueDate: today, kind: 'option', type: 'nso' }),
  complete: (body, { company }) => {
    const [plan, pool] = String(body.pool ?? '').split('/');
    return { ...body, organization: company.id, plan, pool };
  },
  action: (body) => `Grant ${typed(body.quantity)}${nounOf(body.type)}`,
  done: (answer) => `${typed(answer.quantity)}${nounOf(answer.type)} granted`,
  link: (answer) => ({ page: 'grants', open: answer.id }),
  reverse: (answer) => ({ posting: 'voidGrant', record: answer.id, label: 'Void' }),
});

/** The changes of grants. */
export const grants: Record<string, Posting> = {
  grantOptions: grant,
  grantHolder: {
    ...grant,
    record: 'member',
    applies: (record) => record.status !== 'removed' && record.kind !== 'institution',
    initial: (context) => ({ ...grant.initial?.(context), entity: context.record?.entity }),
  },
  accelerateGrant: posting({
    operation: 'accelerateOption',
    title: 'Accelerate',
    permission: 'editIncentivePlan',
    record: 'option',
    applies: (record) => some(record.unvested) && !record.termination,
    fields: ['quantity', 'date', 'reason'],
    initial: ({ today, record }) => ({ date: today, quantity: record?.unvested }),
    action: (body, { record }) => `Vest ${typed(body.quantity)}${nounOf(record?.type)}`,
    done: () => 'Vesting accelerated',
  }),
  reachMilestone: posting({
    operation: 'happenOption',
    title: 'Record milestone',
    permission: 'editIncentivePlan',
    record: 'option',
    applies: (record) => some(record.unvested) && openEvents(record).length > 0,
    fields: [
      {
        name: 'condition',
        label: 'Milestone',
        choices: ({ record }) => openEvents(record ?? {}).map((event) => ({ value: event, label: event })),
      },
      'date',
    ],
    initial: ({ today, record }) => ({ date: today, condition: openEvents(record ?? {})[0] }),
    action: (body) => `Record ${body.condition ?? 'the milestone'}`,
    done: () => 'Milestone recorded',
  }),
  amendGrant: posting({
    operation: 'amendHolding',
    title: 'Amend',
    permission: 'editIncentivePlan',
    record: 'option',
    path: held,
    applies: (record) => record.status !== 'voided',
    fields: ['boardApprovalDate', { name: 'block', label: 'Round' }, 'agreement', { name: 'comments', label: 'Note' }],
    initial: ({ record }) => picked(record, ['boardApprovalDate', 'block', 'agreement', 'comments']),
    action: () => 'Save the changes',
    done: () => 'Grant amended',
  }),
  correctGrant: posting({
    operation: 'correctHolding',
    title: 'Correct',
    permission: 'editIncentivePlan',
    record: 'option',
    path: held,
    applies: (record) => record.status !== 'voided',
    fields: [
      { name: 'entity', label: 'Grantee', required: true },
      { name: 'pool', control: 'poolOfPlan' },
      type,
      { name: 'quantity', required: true },
      { name: 'issueDate', label: 'Grant date' },
      price,
      ...vesting,
      'earlyExercise',
      'expirationDate',
      { name: 'reason', help: 'The reason of the correction. The journal keeps the earlier grant.' },
    ],
    initial: ({ record }) => ({
      ...picked(record, [
        ...['kind', 'entity', 'type', 'quantity', 'issueDate', 'exercisePrice', 'vestingSchedule', 'vestingStart'],
        ...['earlyExercise', 'expirationDate', 'boardApprovalDate', 'terminationWindows', 'vesting', 'vestings'],
        ...['marketValue', 'agreement', 'block', 'externalId', 'comments'],
      ]),
      ...(record?.pool && { pool: `${record.plan}/${record.pool}` }),
    }),
    complete: (body) => {
      const [plan, pool] = String(body.pool ?? '').split('/');
      return body.pool ? { ...body, plan, pool } : body;
    },
    action: () => 'Correct the grant',
    done: () => 'Grant corrected',
  }),
  terminateGrant: posting({
    operation: 'terminateOption',
    title: 'Terminate',
    permission: 'editIncentivePlan',
    record: 'option',
    applies: (record) => !record.termination && record.status !== 'voided' && (open(record) || some(record.unvested)),
    fields: [
      { name: 'date', label: 'Last day of service' },
      { name: 'reason', required: true, choices: () => reasonChoices },
    ],
    initial: ({ today }) => ({ date: today }),
    action: () => 'Record the end of service',
    done: () => 'Grant terminated',
    danger: true,
  }),
  cancelGrant: posting({
    operation: 'cancelOption',
    title: 'Cancel',
    permission: 'editIncentivePlan',
    record: 'option',
    applies: open,
    fields: [
      'quantity',
      'date',
      { name: 'cancellationBehavior', label: 'Cancelled shares', help: 'Default: as the plan states.' },
      { name: 'reason', required: true },
    ],
    initial: ({ today, record }) => ({ date: today, quantity: record?.outstanding }),
    action: (body, { record }) => `Cancel ${typed(body.quantity)}${nounOf(record?.type)}`,
    done: () => 'Grant cancelled',
    danger: true,
  }),
  voidGrant: posting({
    operation: 'voidHolding',
    title: 'Void',
    permission: 'editIncentivePlan',
    record: 'option',
    path: held,
    applies: (record) => record.status !== 'voided',
    fields: [{ name: 'reason', required: true }],
    action: (_, { record }) => `Void ${typed(record?.quantity)}${nounOf(record?.type)}`,
    done: () => 'Grant voided',
    danger: true,
  }),
};
