import { type Body, type FieldSpec, type OfForm, type Posting, posting } from '../posting';
import { picked } from './figures';

const patterns = [
  { value: 'continuous', label: 'Equal installments' },
  { value: 'discrete', label: 'Dates and milestones' },
  { value: 'terms', label: 'Conditions' },
];

/** The days of the month for installments. */
const dayRules = [
  { value: 'START_DAY', label: 'Day of the vesting start' },
  { value: 'BASE_DAY', label: 'Day of the first date' },
  { value: 'START_DAY_MINUS_ONE', label: 'Day before that of the vesting start' },
  { value: 'FIRST_DAY_OF_MONTH', label: 'First day of the month' },
  { value: 'LAST_DAY_OF_MONTH', label: 'Last day of the month' },
  ...Array.from({ length: 31 }, (_, index) => ({
    value: `${index + 1}`.padStart(2, '0'),
    label: `Day ${index + 1}`,
  })),
];

const fields = [
  'name',
  { name: 'pattern', ofForm: true, required: true, choices: () => patterns },
  {
    name: 'continuous',
    label: 'Installments',
    help: 'The cliff and the duration are multiples of the period between installments.',
    required: true,
    control: 'vestingPattern',
    when: (body) => body.pattern === 'continuous',
  },
  {
    name: 'discrete',
    label: 'Tranches',
    required: true,
    control: 'vestingTranches',
    when: (body) => body.pattern === 'discrete',
  },
  { name: 'terms', label: 'Conditions', required: true, when: (body) => body.pattern === 'terms' },
  { name: 'allocation', label: 'Rounding' },
  {
    name: 'dayRule',
    label: 'Day of the month',
    help: 'A shorter month vests on its last day. Default: the day of the vesting start.',
    choices: () => dayRules,
    when: (body) => body.pattern === 'continuous',
  },
  'comments',
] as const satisfies (string | FieldSpec | OfForm)[];

/** Removes the form's pattern from the body, and the terms of the other patterns. */
function ofPattern({ pattern, ...body }: Body): Body {
  const others = patterns.map(({ value }) => value).filter((value) => value !== pattern);
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name]) => !others.includes(name) && !(name === 'dayRule' && pattern !== 'continuous'),
    ),
  );
}

const usual = {
  length: { n: 48, unit: 'months' },
  frequency: { n: 1, unit: 'months' },
  cliff: { after: { n: 12, unit: 'months' } },
};

/** The changes of vesting schedules. */
export const schedules: Record<string, Posting> = {
  createSchedule: posting({
    operation: 'createVestingSchedule',
    title: 'New schedule',
    permission: 'editIncentivePlan',
    fields,
    initial: () => ({ pattern: 'continuous', allocation: 'CUMULATIVE_ROUND_DOWN', continuous: usual }),
    complete: (body, { company }) => ({ ...ofPattern(body), organization: company.id }),
    action: (body) => (body.name ? `Create ${body.name}` : 'Create the schedule'),
    done: (answer) => `${answer.name} created`,
    link: (answer) => ({ page: 'schedules', open: answer.id }),
  }),
  supersedeSchedule: posting({
    operation: 'supersedeVestingSchedule',
    title: 'Supersede',
    permission: 'editIncentivePlan',
    record: 'vestingSchedule',
    applies: (record) => !record.successor,
    fields,
    initial: ({ record }) => ({
      ...picked(record, ['name', 'allocation', 'dayRule', 'continuous', 'discrete', 'terms', 'externalId', 'comments']),
      pattern: patterns.find(({ value }) => record?.[value] !== undefined)?.value ?? 'continuous',
    }),
    complete: ofPattern,
    action: () => 'Replace the schedule for new grants',
    done: (answer) => `${answer.name} replaced`,
    link: (answer) => ({ page: 'schedules', open: answer.id }),
    // Its deletion makes the predecessor current again.
    reverse: (answer) => ({ posting: 'deleteSchedule', record: answer.id, label: 'Delete' }),
  }),
  deleteSchedule: posting({
    operation: 'deleteVestingSchedule',
    title: 'Delete',
    permission: 'editIncentivePlan',
    record: 'vestingSchedule',
    fields: [
      {
        name: 'plan',
        ofForm: true,
        label: 'Plan of the schedule',
        required: true,
        control: 'planOfSchedule',
        help: 'The plan that lists the schedule. A schedule that grants use cannot be deleted.',
      },
    ],
    path: ({ body }) => ({ plan: String(body?.plan ?? '') }),
    action: (_, { record }) => `Delete ${record?.name}`,
    done: () => 'Schedule deleted',
    danger: true,
  }),
};
