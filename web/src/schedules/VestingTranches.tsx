import type { ControlProps } from '~/posting/Control';
import { RowsControl } from '~/posting/Group';
import { ScheduleCurve } from './ScheduleCurve';
import { schemeOf } from './VestingPattern';

/** The tranches of a schedule by date or milestone, with the resulting curve. */
export function VestingTranches(props: ControlProps) {
  const complete = Array.isArray(props.value) && props.value.length > 0;
  return (
    <div className="flex flex-col gap-3">
      <RowsControl {...props} />
      {complete && <ScheduleCurve schedule={schemeOf(props.body, 'discrete')} />}
    </div>
  );
}
