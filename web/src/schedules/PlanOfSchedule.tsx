import { useList } from '~/api/list';
import type { ControlProps } from '~/posting/Control';
import { Select } from '~/ui/Select';

/** A choice of one of the plans that list a schedule. */
export function PlanOfSchedule({ id, value, onChange, context, ...rest }: ControlProps) {
  const plans = useList('/organization/{organization}/plan', { path: { organization: context.company.id } });
  const listed = plans.rows.filter((plan) => plan.vestingSchedules?.includes(String(context.record?.id)));
  if (plans.complete && listed.length === 0)
    return <p className="text-ink-3">No plan lists this schedule. Add it to a plan first.</p>;
  return (
    <Select
      id={id}
      aria-invalid={rest['aria-invalid']}
      aria-describedby={rest['aria-describedby']}
      choices={listed.map((plan) => ({ value: plan.id, label: plan.name }))}
      value={typeof value === 'string' ? value : undefined}
      onChange={onChange}
    />
  );
}
