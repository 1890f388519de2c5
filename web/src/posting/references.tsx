import type { ComponentType } from 'react';
import { type List, useList } from '~/api/list';
import { LaterInstrument } from '~/convertibles/LaterInstrument';
import { price, quantity } from '~/format/figures';
import { PlanOfSchedule } from '~/schedules/PlanOfSchedule';
import { VestingPattern } from '~/schedules/VestingPattern';
import { VestingTranches } from '~/schedules/VestingTranches';
import { Combobox } from '~/ui/Combobox';
import type { Choice } from '~/ui/Select';
import { Checks } from './CheckList';
import type { ControlProps } from './Control';
import type { ContractField } from './contract';
import { FileInput } from './FileInput';
import { NewRecordButton } from './NewRecordButton';
import type { Context, FieldSpec } from './posting';

/** Load returns the choices of a list, or `undefined` before it is loaded. */
type Load = (organization: string) => Choice[] | undefined;

/** Reports whether a form offers to create records: they exist already, and the form is not for such a record itself. */
const offers = ({ references, nested }: Context) => references === undefined && !nested;

/** Builds the control of a reference to a record of a list, which the posting `post` creates. */
const reference = (useChoices: Load, post?: string): ComponentType<ControlProps> =>
  function Reference({ id, value, onChange, context, spec, at = spec.name, ...rest }: ControlProps) {
    const choices = useChoices(context.company.id);
    return (
      <>
        <Combobox
          id={id}
          aria-invalid={rest['aria-invalid']}
          aria-describedby={rest['aria-describedby']}
          label={rest['aria-label']}
          choices={choices ?? []}
          value={typeof value === 'string' ? value : undefined}
          onChange={onChange}
        />
        {post && offers(context) && <NewRecordButton post={post} at={at} context={context} onCreated={onChange} />}
      </>
    );
  };

/** Builds the control of several references to records of a list, which the posting `post` creates. */
const references = (useChoices: Load, post?: string): ComponentType<ControlProps> =>
  function References(props: ControlProps) {
    const { context, spec, at = spec.name, value, onChange } = props;
    const choices = useChoices(context.company.id);
    if (!choices) return <div className="skeleton unsized h-5" />;
    const choose = (id: string) => onChange([...(Array.isArray(value) ? value : []), id]);
    return (
      <>
        <Checks {...props} choices={choices} />
        {post && offers(context) && <NewRecordButton post={post} at={at} context={context} onCreated={choose} />}
      </>
    );
  };

const choicesOf = <Row,>(list: List<Row>, choice: (row: Row) => Choice): Choice[] | undefined =>
  list.loading ? undefined : list.rows.map(choice);

const inOrganization = (organization: string) => ({ path: { organization } });

const holders: Load = (organization) =>
  choicesOf(useList('/organization/{organization}/member', inOrganization(organization)), (member) => ({
    value: member.entity,
    label: member.fullName,
    detail: member.relationship,
  }));

const securities: Load = (organization) =>
  choicesOf(useList('/organization/{organization}/security', inOrganization(organization)), (security) => ({
    value: security.id,
    label: security.name,
  }));

const plans: Load = (organization) =>
  choicesOf(useList('/organization/{organization}/plan', inOrganization(organization)), (plan) => ({
    value: plan.id,
    label: plan.name,
  }));

const pools: Load = (organization) =>
  useList('/organization/{organization}/plan', inOrganization(organization)).rows.flatMap((plan) =>
    plan.pools.map((pool) => ({ value: pool.id, label: `${plan.name}, ${pool.name}` })),
  );

/** The pools as PLAN/POOL, for forms that need both. */
const poolsOfPlans: Load = (organization) =>
  useList('/organization/{organization}/plan', inOrganization(organization)).rows.flatMap((plan) =>
    plan.pools.map((pool) => ({
      value: `${plan.id}/${pool.id}`,
      label: `${plan.name}, ${pool.name}`,
      detail: quantity(pool.available),
    })),
  );

const shareholdings: Load = (organization) =>
  choicesOf(useList('/organization/{organization}/shareholding', inOrganization(organization)), (held) => ({
    value: held.id,
    label: `${held.certificate ?? ''} ${held.holderName ?? held.shareholderName ?? ''}`.trim(),
    detail: quantity(held.shares),
  }));

const schedules: Load = (organization) =>
  choicesOf(useList('/vestingSchedule', { query: { organization } }), (schedule) => ({
    value: schedule.id,
    label: schedule.name,
  }));

const blocks: Load = (organization) =>
  choicesOf(useList('/organization/{organization}/block', inOrganization(organization)), (block) => ({
    value: block.id,
    label: block.name,
  }));

const legends: Load = (organization) =>
  choicesOf(useList('/organization/{organization}/legend', inOrganization(organization)), (legend) => ({
    value: legend.id,
    label: legend.name,
  }));

const valuations: Load = (organization) =>
  choicesOf(useList('/organization/{organization}/valuation', inOrganization(organization)), (valuation) => ({
    value: valuation.id,
    label: valuation.effectiveDate,
    detail: price(valuation.pricePerShare),
  }));

const roles: Load = (organization) =>
  choicesOf(useList('/organization/{organization}/role', inOrganization(organization)), (role) => ({
    value: role.name,
    label: role.name,
  }));

/** The roles for a person with holdings: Holder is the first one. */
const rolesOfHolder: Load = (organization) => {
  const all = roles(organization);
  const isHolder = ({ label }: Choice) => label.toLowerCase() === 'holder';
  return all && [...all.filter(isHolder), ...all.filter((one) => !isHolder(one))];
};

/** The controls of references, by the name of their field or by the control of their specification. */
const controls: Record<string, ComponentType<ControlProps>> = {
  entity: reference(holders),
  holder: reference(holders),
  security: reference(securities, 'createClass'),
  plan: reference(plans),
  pool: reference(pools),
  poolOfPlan: reference(poolsOfPlans),
  laterInstrument: LaterInstrument,
  planOfSchedule: PlanOfSchedule,
  vestingPattern: VestingPattern,
  vestingTranches: VestingTranches,
  rolesOfHolder: references(rolesOfHolder),
  file: FileInput,
  document: FileInput,
  agreement: FileInput,
  vestingSchedules: reference(schedules, 'createSchedule'),
  shareholding: reference(shareholdings),
  schedule: reference(schedules, 'createSchedule'),
  vestingSchedule: reference(schedules, 'createSchedule'),
  block: reference(blocks),
  valuation: reference(valuations),
};

/** The controls of lists of references, by the name of their field. */
const lists: Record<string, ComponentType<ControlProps>> = {
  legends: references(legends),
  securities: references(securities, 'createClass'),
  roles: references(roles),
};

/** The control of a holder that the contract names by an object: {entity}. */
function HolderControl({ value, onChange, ...rest }: ControlProps) {
  const Entity = controls.entity as ComponentType<ControlProps>;
  const entity = (value as { entity?: string } | undefined)?.entity;
  return <Entity {...rest} value={entity} onChange={(chosen) => onChange(chosen ? { entity: chosen } : undefined)} />;
}

/** Fields that name a record by its id or its name. */
const byName = new Set(['vestingSchedule', 'block', 'roles', 'file', 'document', 'agreement']);

/** Returns the control of a reference; undefined if the field is none. */
export function referenceOf(
  spec: FieldSpec,
  contract: ContractField | undefined,
): ComponentType<ControlProps> | undefined {
  if (spec.control) return controls[spec.control];
  if (contract?.kind === 'holder') return HolderControl;
  const name = spec.name.split('.').pop() ?? '';
  if (contract?.kind === 'array') return lists[name];
  return contract?.kind === 'id' || byName.has(name) ? controls[name] : undefined;
}
