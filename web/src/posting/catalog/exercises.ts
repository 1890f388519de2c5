import { nounOf } from '~/grants/kinds';
import type { Exercise } from '../exerciseCost';
import { type FieldSpec, type Posting, posting, type StoredRecord } from '../posting';
import { some, typed } from './figures';

const open = (record: StoredRecord) => record.outstanding !== '0' && !record.end;
const pending = (record: StoredRecord | undefined): StoredRecord | undefined =>
  (record?.requests ?? []).find((request: StoredRecord) => request.status === 'pending');
const requested = ({ record }: { record?: StoredRecord }) => ({ request: String(pending(record)?.id ?? '') });
const placed = ({ record }: { record?: StoredRecord }) => ({
  plan: String(record?.plan),
  pool: String(record?.pool),
  option: String(record?.id),
});

/** Returns the exercise of a body or of a request. Appreciation rights are always net. */
const exerciseOf = (body: StoredRecord | undefined, record: StoredRecord | undefined): Exercise => ({
  quantity: body?.quantity,
  payment: record?.type === 'sar' ? 'net' : body?.payment,
  marketValue: body?.marketValue,
});

const marketValue = { name: 'marketValue', label: 'Market value per share' } as const satisfies FieldSpec;
const net = { ...marketValue, when: (body) => body.payment === 'net' } as const satisfies FieldSpec;
const payment = { name: 'payment', when: (_, { record }) => record?.type !== 'sar' } as const satisfies FieldSpec;

/** The acceptance of grants and their exercises: by request of the holder, and directly. */
export const exercises: Record<string, Posting> = {
  acceptGrant: posting({
    operation: 'acceptOption',
    title: 'Accept',
    holderOr: 'editIncentivePlan',
    record: 'option',
    applies: (record) => !record.acceptedOn && open(record),
    fields: ['date'],
    initial: ({ today }) => ({ date: today }),
    action: () => 'Accept the grant',
    done: () => 'Grant accepted',
  }),
  requestExercise: posting({
    operation: 'requestExercise',
    title: 'Request exercise',
    holderOr: 'nobody',
    record: 'option',
    applies: (record, company) =>
      some(record.exercisable) && open(record) && !pending(record) && !company.can('editIncentivePlan'),
    path: placed,
    fields: ['quantity', payment, { name: 'message', control: 'long' }],
    exercise: (body, { record }) => exerciseOf(body, record),
    initial: ({ record }) => ({ quantity: record?.exercisable }),
    action: (body, { record }) => `Request the exercise of ${typed(body.quantity)}${nounOf(record?.type)}`,
    done: () => 'Exercise requested',
  }),
  acceptExercise: posting({
    operation: 'acceptExercise',
    title: 'Approve request',
    permission: 'editIncentivePlan',
    record: 'option',
    applies: (record) => pending(record) !== undefined,
    path: requested,
    fields: ['date', marketValue],
    exercise: (body, { record }) => exerciseOf({ ...pending(record), marketValue: body.marketValue }, record),
    initial: ({ record }) => ({ date: pending(record)?.date }),
    action: (_, { record }) => `Exercise ${typed(pending(record)?.quantity)}${nounOf(record?.type)}`,
    done: () => 'Exercise recorded',
  }),
  declineExercise: posting({
    operation: 'declineExercise',
    title: 'Decline request',
    permission: 'editIncentivePlan',
    record: 'option',
    applies: (record) => pending(record) !== undefined,
    path: requested,
    fields: [{ name: 'reason', required: true }],
    action: () => 'Decline the request',
    done: () => 'Request declined',
  }),
  exerciseGrant: posting({
    operation: 'exerciseOption',
    title: 'Exercise',
    permission: 'editIncentivePlan',
    record: 'option',
    applies: (record) => some(record.exercisable) && open(record) && record.plan !== undefined,
    path: placed,
    fields: ['quantity', 'date', payment, net],
    exercise: (body, { record }) => exerciseOf(body, record),
    initial: ({ today, record }) => ({
      date: today,
      quantity: record?.exercisable,
      payment: record?.type === 'sar' ? 'net' : 'cash',
    }),
    action: (body, { record }) => `Exercise ${typed(body.quantity)}${nounOf(record?.type)}`,
    done: (answer) => `${typed(answer.shareholding?.shares)}shares issued by exercise`,
    link: (answer) => ({ page: 'shares', open: answer.shareholding?.id }),
  }),
  releaseGrant: posting({
    operation: 'releaseOption',
    title: 'Release',
    permission: 'editIncentivePlan',
    record: 'option',
    applies: (record) => some(record.releasable),
    fields: ['quantity', 'date', { name: 'withheld', label: 'Withheld for taxes' }],
    initial: ({ today, record }) => ({ date: today, quantity: record?.releasable }),
    action: (body) => `Release ${typed(body.quantity)}units`,
    done: () => 'Units released',
  }),
};
