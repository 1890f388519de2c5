import { createFileRoute } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { useDay } from '~/day/day';
import { sum } from '~/decimal/decimal';
import { ratio } from '~/decimal/geometry';
import { day } from '~/format/dates';
import { amountOf, cell, price, quantity } from '~/format/figures';
import { GrantDetails } from '~/grants/GrantDetails';
import { nounOf, stateOf, typeChoices, typeName } from '~/grants/kinds';
import { FileLink } from '~/records/FileLink';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useHolders, usePlans } from '~/records/useNames';
import { useOwn } from '~/records/useOwn';
import type { Column, Filter } from '~/register/column';
import { useCompany } from '~/shell/company';
import { Page } from '~/ui/Page';
import { heldAs, State, stateName } from '~/ui/State';
import { Why } from '~/why/Why';

export const Route = createFileRoute('/_user/company/$organization/grants')({ component: GrantsPage });

type Option = Schema<'Option'>;

const filters: Filter<Option>[] = [
  { id: 'type', label: 'Types', choices: typeChoices, value: (row) => row.type },
  {
    id: 'state',
    label: 'States',
    choices: ['Vesting', 'Vested', 'Ended'].map((state) => ({ value: state, label: state })),
    value: stateOf,
  },
];

type Figure =
  | 'quantity'
  | 'vested'
  | 'unvested'
  | 'exercisable'
  | 'releasable'
  | 'exercised'
  | 'outstanding'
  | 'repurchasable';

const waits = (row: Option) => row.requests?.some((request) => request.status === 'pending') ?? false;
const shownState = (row: Option) => (waits(row) ? 'requested' : heldAs(row.status));

/** The register of options and units. A grantee sees the own ones. */
function GrantsPage() {
  const company = useCompany();
  const own = useOwn();
  const { query } = useDay();
  const holders = useHolders();
  const plans = usePlans();
  const list = useList('/organization/{organization}/option', { path: { organization: company.id }, query });
  const nameOf = (row: Option) => holders.nameOf(row.entity) || (own.isOwn(row) ? own.name : '');
  const explained = (row: Option, figure: Figure, value: string | undefined) =>
    company.can('viewCapTable') ? (
      <Why figure={`option/${row.id}/${figure}`} label={`${nameOf(row)}, ${figure}`}>
        {cell(value)}
      </Why>
    ) : (
      cell(value)
    );
  const named = company.can('viewCapTable') || company.can('viewIncentivePlan');
  const columns: Column<Option>[] = [
    { id: 'grantee', header: 'Grantee', value: nameOf, width: 'minmax(120px, 1.5fr)', narrow: 'title' },
    ...(named
      ? [
          {
            id: 'plan',
            header: 'Plan',
            value: (row: Option) => plans.nameOf(row.plan),
            width: 'minmax(90px, 2fr)',
            narrow: 'detail' as const,
            spare: 1,
          },
        ]
      : []),
    { id: 'type', header: 'Type', value: (row) => typeName(row.type), width: '84px', spare: 3 },
    {
      id: 'quantity',
      header: 'Granted',
      kind: 'decimal',
      value: (row) => row.quantity,
      width: 'minmax(76px, 1fr)',
      cell: (row) => explained(row, 'quantity', row.quantity),
      sum: (rows) => cell(sum(rows.map((row) => row.quantity))),
    },
    {
      id: 'vested',
      header: 'Vested',
      kind: 'decimal',
      value: (row) => row.vested,
      width: 'minmax(116px, 1fr)',
      cell: (row) => (
        <span className="inline-flex items-center gap-2">
          <span aria-hidden className="h-1 w-10 overflow-hidden rounded-full bg-active">
            <span
              className="block h-full bg-(--c-options)"
              style={{ width: `${ratio(row.vested, row.quantity) * 100}%` }}
            />
          </span>
          <span className="min-w-14 text-right">{explained(row, 'vested', row.vested)}</span>
        </span>
      ),
      sum: (rows) => cell(sum(rows.map((row) => row.vested))),
    },
    {
      id: 'outstanding',
      header: 'Outstanding',
      kind: 'decimal',
      value: (row) => row.outstanding,
      width: 'minmax(76px, 1fr)',
      cell: (row) => explained(row, 'outstanding', row.outstanding),
      sum: (rows) => cell(sum(rows.map((row) => row.outstanding))),
      narrow: 'value',
    },
    {
      id: 'price',
      header: 'Exercise price',
      kind: 'decimal',
      value: (row) => amountOf(row.exercisePrice),
      width: 'minmax(92px, 1fr)',
      spare: 2,
      cell: (row) => price(row.exercisePrice, company.currency),
    },
    { id: 'granted', header: 'Grant date', kind: 'date', value: (row) => row.issueDate, width: '86px' },
    {
      id: 'status',
      header: 'Status',
      width: '78px',
      value: (row) => stateName(shownState(row)),
      cell: (row) => <State of={shownState(row)} />,
      narrow: 'detail',
    },
  ];
  return (
    <Page
      title="Grants"
      actions={<CreateButtons postings={['grantOptions', 'expireOptions']} lists={{ grantOptions: list }} />}
    >
      <RecordList
        label="Grants"
        noun="grant"
        list={list}
        columns={columns}
        filters={filters}
        order="-granted"
        kind="option"
        title={(row) => nameOf(row) || 'Grant'}
        subtitle={(row) =>
          [
            `${quantity(row.quantity)} ${typeName(row.type)} ${nounOf(row.type)}`.replace(/(RSU|SAR) \w+$/, '$1s'),
            plans.nameOf(row.plan),
          ]
            .filter(Boolean)
            .join(', ')
        }
        facts={(row) => [
          ['Vested', explained(row, 'vested', row.vested)],
          ['Unvested', explained(row, 'unvested', row.unvested)],
          row.type === 'rsu'
            ? ['Releasable', explained(row, 'releasable', row.releasable)]
            : ['Exercisable', explained(row, 'exercisable', row.exercisable)],
          row.type !== 'rsu' && ['Exercised', explained(row, 'exercised', row.exercised)],
          ['Outstanding', explained(row, 'outstanding', row.outstanding)],
          row.repurchasable !== undefined && [
            'Repurchasable shares',
            explained(row, 'repurchasable', row.repurchasable),
          ],
          row.type !== 'rsu' && ['Exercise price', price(row.exercisePrice, company.currency)],
          ['Grant date', day(row.issueDate)],
          row.boardApprovalDate !== undefined && ['Board approval', day(row.boardApprovalDate)],
          row.earlyExercise === true && ['Early exercise', 'Allowed'],
          row.nextVesting !== undefined && [
            'Next vesting',
            `${cell(row.nextVesting.quantity)} on ${day(row.nextVesting.date)}`,
          ],
          row.expirationDate !== undefined && ['Expires', day(row.expirationDate)],
          row.exercisableUntil !== undefined &&
            row.exercisableUntil !== row.expirationDate && ['Exercisable until', day(row.exercisableUntil)],
          row.agreement !== undefined && ['Agreement', <FileLink key="agreement" file={row.agreement} />],
          (row.comments?.length ?? 0) > 0 && ['Note', row.comments?.join(' ')],
        ]}
        statement={(row) => ({ entity: row.entity, from: row.issueDate })}
        details={(row) => <GrantDetails row={row} />}
        empty={{
          title: 'No grants',
          text: 'Options and units that are granted appear here with their vesting.',
          post: 'grantOptions',
        }}
      />
    </Page>
  );
}
