import { useList } from '~/api/list';
import { day } from '~/format/dates';
import type { ControlProps } from '~/posting/Control';
import { useHolders } from '~/records/useNames';
import { Combobox } from '~/ui/Combobox';
import { instrumentKinds, isInstrument, kindName, outstanding } from './kinds';

/** A choice of an outstanding convertible that was issued after the one of the form. */
export function LaterInstrument({ id, value, onChange, context, ...rest }: ControlProps) {
  const holders = useHolders();
  const list = useList('/organization/{organization}/holding', {
    path: { organization: context.company.id },
    query: { kind: instrumentKinds },
  });
  const issued = String(context.record?.issueDate ?? '');
  const later = list.rows
    .filter(isInstrument)
    .filter((row) => row.kind !== 'warrant' && outstanding(row) && row.issueDate >= issued)
    .filter((row) => row.id !== context.record?.id);
  return (
    <Combobox
      id={id}
      aria-invalid={rest['aria-invalid']}
      aria-describedby={rest['aria-describedby']}
      choices={later.map((row) => ({
        value: row.id,
        label: `${kindName(row.kind)}, ${holders.nameOf(row.entity)}`,
        detail: day(row.issueDate),
      }))}
      value={typeof value === 'string' ? value : undefined}
      onChange={onChange}
    />
  );
}
