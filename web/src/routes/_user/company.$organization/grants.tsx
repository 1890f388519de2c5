import { createFileRoute } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { useDay } from '~/day/day';
import { sum } from '~/decimal/decimal';
import { ratio } from '~/decimal/geometry';
import { day } from '~/format/dates';
import { cell, price } from '~/format/figures';
import { words } from '~/format/words';
import { GrantDetails } from '~/grants/GrantDetails';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useHolders, usePlans } from '~/records/useNames';
import type { Column } from '~/register/column';
import { useCompany } from '~/shell/company';
import { useUser } from '~/shell/user';
import { Chip } from '~/ui/Chip';
import { Page } from '~/ui/Page';
import { Why } from '~/why/Why';

export const Route = createFileRoute('/_user/company/$organization/grants')({ component: GrantsPage });

type Option = Schema<'Option'>;

/** The register of options and units. A grantee sees the own ones. */
function GrantsPage() {
  const company = useCompany();
  const user = useUser();
  const { query } = useDay();
  const holders = useHolders();
  const plans = usePlans();
  const list = useList('/organization/{organization}/option', { path: { organization: company.id }, query });
  const own = `${user.firstName ?? ''} ${user.lastName ?? ''}`.trim();
  const nameOf = (row: Option) => holders.nameOf(row.entity) || (row.entity === user.entity ? own : '');
  const explained = (row: Option, figure: 'vested' | 'exercisable' | 'outstanding', value: string) =>
    company.can('viewCapTable') ? (
      <Why figure={`option/${row.id}/${figure}`} label={`${nameOf(row)}, ${figure}`}>
        {cell(value)}
      </Why>
    ) : (
      cell(value)
    );
  const columns: Column<Option>[] = [
    { id: 'grantee', header: 'Grantee', value: nameOf, width: 'minmax(150px, 1.5fr)', narrow: 'title' },
    { id: 'plan', header: 'Plan', value: (row) => plans.nameOf(row.plan), narrow: 'detail' },
    { id: 'type', header: 'Type', value: (row) => row.type, cell: (row) => row.type.toUpperCase(), width: '72px' },
    {
      id: 'quantity',
      header: 'Granted',
      kind: 'decimal',
      value: (row) => row.quantity,
      sum: (rows) => cell(sum(rows.map((row) => row.quantity))),
    },
    {
      id: 'vested',
      header: 'Vested',
      kind: 'decimal',
      value: (row) => row.vested,
      cell: (row) => (
        <span className="inline-flex items-center gap-2">
          <span aria-hidden className="h-1 w-10 overflow-hidden rounded-full bg-active">
            <span
              className="block h-full bg-(--c-options)"
              style={{ width: `${ratio(row.vested, row.quantity) * 100}%` }}
            />
          </span>
          {explained(row, 'vested', row.vested)}
        </span>
      ),
      sum: (rows) => cell(sum(rows.map((row) => row.vested))),
    },
    {
      id: 'outstanding',
      header: 'Outstanding',
      kind: 'decimal',
      value: (row) => row.outstanding,
      cell: (row) => explained(row, 'outstanding', row.outstanding),
      sum: (rows) => cell(sum(rows.map((row) => row.outstanding))),
      narrow: 'value',
    },
    {
      id: 'price',
      header: 'Exercise price',
      kind: 'decimal',
      value: (row) => (typeof row.exercisePrice === 'string' ? row.exercisePrice : row.exercisePrice?.amount),
      cell: (row) => price(row.exercisePrice, company.currency),
    },
    { id: 'granted', header: 'Grant date', kind: 'date', value: (row) => row.issueDate },
    {
      id: 'status',
      header: 'Status',
      width: '104px',
      value: (row) => row.status,
      cell: (row) => <Chip>{words(row.status)}</Chip>,
    },
  ];
  return (
    <Page title="Grants" dated actions={<CreateButtons postings={['grantOptions', 'expireOptions']} />}>
      <RecordList
        label="Grants"
        noun="grant"
        list={list}
        columns={columns}
        order="-granted"
        kind="option"
        title={(row) => nameOf(row) || 'Grant'}
        subtitle={(row) => `${words(row.type)}, ${plans.nameOf(row.plan)}`}
        facts={(row) => [
          ['Granted', cell(row.quantity)],
          ['Vested', cell(row.vested)],
          ['Exercisable', explained(row, 'exercisable', row.exercisable)],
          ['Exercised', cell(row.exercised)],
          ['Outstanding', cell(row.outstanding)],
          ['Exercise price', price(row.exercisePrice, company.currency)],
          ['Grant date', day(row.issueDate)],
          row.acceptedOn !== undefined && (['Accepted', day(row.acceptedOn)] as const),
          row.nextVesting !== undefined &&
            (['Next vesting', `${cell(row.nextVesting.quantity)} on ${day(row.nextVesting.date)}`] as const),
          row.expirationDate !== undefined && (['Expires', day(row.expirationDate)] as const),
          row.exercisableUntil !== undefined && (['Exercisable until', day(row.exercisableUntil)] as const),
        ]}
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
