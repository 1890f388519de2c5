import type { ComponentType } from 'react';
import { useList } from '~/api/list';
import { quantity } from '~/format/figures';
import { Combobox } from '~/ui/Combobox';
import type { Choice } from '~/ui/Select';
import type { ControlProps } from './Control';
import type { ContractField } from './contract';
import type { FieldSpec } from './posting';

type Load = (organization: string) => Choice[];

/** Builds the control of a reference to a record of a list. */
const reference = (useChoices: Load): ComponentType<ControlProps> =>
  function Reference({ id, value, onChange, context, ...rest }: ControlProps) {
    const choices = useChoices(context.company.id);
    return (
      <Combobox
        id={id}
        aria-invalid={rest['aria-invalid']}
        aria-describedby={rest['aria-describedby']}
        choices={choices}
        value={typeof value === 'string' ? value : undefined}
        onChange={onChange}
      />
    );
  };

const inOrganization = (organization: string) => ({ path: { organization } });

const holders: Load = (organization) =>
  useList('/organization/{organization}/member', inOrganization(organization)).rows.map((member) => ({
    value: member.entity,
    label: member.fullName,
    detail: member.relationship,
  }));

const securities: Load = (organization) =>
  useList('/organization/{organization}/security', inOrganization(organization)).rows.map((security) => ({
    value: security.id,
    label: security.name,
  }));

const plans: Load = (organization) =>
  useList('/organization/{organization}/plan', inOrganization(organization)).rows.map((plan) => ({
    value: plan.id,
    label: plan.name,
  }));

const pools: Load = (organization) =>
  useList('/organization/{organization}/plan', inOrganization(organization)).rows.flatMap((plan) =>
    plan.pools.map((pool) => ({ value: pool.id, label: `${plan.name}, ${pool.name}` })),
  );

const shareholdings: Load = (organization) =>
  useList('/organization/{organization}/shareholding', inOrganization(organization)).rows.map((held) => ({
    value: held.id,
    label: `${held.certificate ?? ''} ${held.shareholderName ?? ''}`.trim(),
    detail: quantity(held.shares),
  }));

const schedules: Load = (organization) =>
  useList('/vestingSchedule', { query: { organization } }).rows.map((schedule) => ({
    value: schedule.id,
    label: schedule.name,
  }));

const blocks: Load = (organization) =>
  useList('/organization/{organization}/block', inOrganization(organization)).rows.map((block) => ({
    value: block.id,
    label: block.name,
  }));

/** The controls of references, by the name of their field or by the control of their specification. */
const controls: Record<string, ComponentType<ControlProps>> = {
  entity: reference(holders),
  holder: reference(holders),
  security: reference(securities),
  plan: reference(plans),
  pool: reference(pools),
  shareholding: reference(shareholdings),
  schedule: reference(schedules),
  vestingSchedule: reference(schedules),
  block: reference(blocks),
};

/** Returns the control of a reference; undefined if the field is none. */
export function referenceOf(
  spec: FieldSpec,
  contract: ContractField | undefined,
): ComponentType<ControlProps> | undefined {
  if (spec.control) return controls[spec.control];
  const name = spec.name.split('.').pop() ?? '';
  return contract?.kind === 'id' || name === 'vestingSchedule' ? controls[name] : undefined;
}
