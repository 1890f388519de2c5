import { counted } from '~/format/words';
import { Button } from '~/ui/Button';
import { copy } from '~/ui/copy';
import { type Column, delimited } from './column';

/** BulkAction is an action on all selected rows. */
export type BulkAction<Row> = { label: string; run: (rows: Row[]) => void; danger?: boolean };

type Props<Row> = { rows: Row[]; columns: Column<Row>[]; noun: string; actions: BulkAction<Row>[]; onDone: () => void };

/** The bar of actions on the selected rows, at the bottom of the page. */
export function Bulk<Row>({ rows, columns, noun, actions, onDone }: Props<Row>) {
  const copyRows = () => copy(delimited(rows, columns, '\t'), `${counted(rows.length, 'row')} copied`);
  return (
    <div
      className="pop sticky bottom-4 z-20 mx-auto mt-4 flex w-fit items-center gap-2 p-2"
      role="toolbar"
      aria-label="Selection"
    >
      <span className="num px-2">{counted(rows.length, noun)} selected</span>
      <Button onClick={copyRows}>Copy</Button>
      {actions.map((action) => (
        <Button key={action.label} look={action.danger ? 'danger' : 'outline'} onClick={() => action.run(rows)}>
          {action.label}
        </Button>
      ))}
      <Button look="ghost" onClick={onDone}>
        Clear
      </Button>
    </div>
  );
}
