import { useList } from '~/api/list';
import { instrumentKinds, isInstrument, kindName } from '~/convertibles/kinds';
import { useDay } from '~/day/day';
import type { Item } from '~/documents/api';
import { day } from '~/format/dates';
import { cents, quantity } from '~/format/figures';
import { words } from '~/format/words';
import { nounOf, typeName } from '~/grants/kinds';
import type { StoredRecord } from '~/posting/posting';
import type { Company } from '../company';
import { searchable } from './match';

/** The kinds of records in the palette, in their order, with the headings and the nouns. */
export const kinds = {
  member: ['Stakeholders', 'stakeholder'],
  shareholding: ['Shareholdings', 'shareholding'],
  option: ['Grants', 'grant'],
  holding: ['Convertibles and warrants', 'instrument'],
  security: ['Classes', 'class'],
  legend: ['Legends', 'legend'],
  plan: ['Equity plans', 'plan'],
  vestingSchedule: ['Vesting schedules', 'schedule'],
  valuation: ['Valuations', 'valuation'],
  capitalChange: ['Capital changes', 'capital change'],
  block: ['Rounds', 'round'],
  role: ['Roles', 'role'],
  document: ['Documents', 'document'],
} as const;

export type Kind = keyof typeof kinds;

/** Found is a record that the palette can open. */
export type Found = { kind: Kind; id: string; label: string; detail: string; text: string; record: StoredRecord };

const found = (kind: Kind, record: StoredRecord & { id?: string }, label: string, detail = ''): Found => ({
  kind,
  id: record.id ?? label,
  label,
  detail,
  text: searchable(`${label} ${detail} ${kinds[kind][1]}`),
  record,
});

/** Loads the records that the user may see on the day of the page, once `enabled`. The documents are those that the server found. */
export function useRecords(company: Company, enabled: boolean, documents: Item[]): Found[] {
  const { query, knownAt } = useDay();
  const path = { organization: company.id };
  const dated = { path, query };
  const known = { path, query: { knownAt } };
  const sees = enabled && company.can('viewCapTable');
  const members = useList('/organization/{organization}/member', known, enabled && company.can('viewMembers'));
  const shareholdings = useList('/organization/{organization}/shareholding', dated, enabled);
  const options = useList('/organization/{organization}/option', dated, enabled);
  const holdings = useList(
    '/organization/{organization}/holding',
    { path, query: { ...query, kind: instrumentKinds } },
    enabled,
  );
  const classes = useList('/organization/{organization}/security', dated, enabled);
  const legends = useList('/organization/{organization}/legend', known, enabled);
  const plans = useList('/organization/{organization}/plan', dated, enabled);
  const schedules = useList('/vestingSchedule', { query: { organization: company.id } }, sees);
  const valuations = useList('/organization/{organization}/valuation', known, sees);
  const changes = useList('/organization/{organization}/capitalChange', known, enabled);
  const rounds = useList('/organization/{organization}/block', known, sees);
  const roles = useList('/organization/{organization}/role', known, enabled);
  const names = new Map(members.rows.map((one) => [one.entity, one.fullName]));
  const nameOf = (entity: string) => names.get(entity) ?? '';
  const joined = (...parts: string[]) => parts.filter(Boolean).join(', ');
  return [
    ...members.rows.map((row) => found('member', row, row.fullName, row.title)),
    ...shareholdings.rows.map((row) =>
      found('shareholding', row, joined(row.certificate, row.holderName ?? row.shareholderName), quantity(row.shares)),
    ),
    ...options.rows.map((row) =>
      found(
        'option',
        row,
        joined(nameOf(row.entity) || 'Grant', `${quantity(row.quantity)} ${typeName(row.type)} ${nounOf(row.type)}`),
        day(row.issueDate),
      ),
    ),
    ...holdings.rows
      .filter(isInstrument)
      .map((row) => found('holding', row, joined(kindName(row.kind), nameOf(row.entity)), day(row.issueDate))),
    ...classes.rows.map((row) => found('security', row, row.name)),
    ...legends.rows.map((row) => found('legend', row, row.name)),
    ...plans.rows.map((row) => found('plan', row, row.name)),
    ...schedules.rows.map((row) => found('vestingSchedule', row, row.name)),
    ...valuations.rows.map((row) =>
      found('valuation', row, joined(row.type === '409A' ? '409A' : words(row.type), day(row.effectiveDate))),
    ),
    ...changes.rows.map((row) =>
      found(
        'capitalChange',
        row,
        joined(words(row.kind), nameOf(row.entity), cents(row.amount.amount, row.amount.currency)),
        day(row.date),
      ),
    ),
    ...rounds.rows.map((row) => found('block', row, row.name)),
    ...roles.rows.map((row) => found('role', row, row.name)),
    ...documents.map((row) =>
      found('document', row, row.name, (row.path ?? []).map((folder) => folder.name).join(' / ') || 'Data room'),
    ),
  ];
}
