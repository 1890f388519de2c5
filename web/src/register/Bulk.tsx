import { X } from 'lucide-react';
import { counted } from '~/format/words';
import { Button, IconButton } from '~/ui/Button';
import { Menu } from '~/ui/Menu';
import { useRoving } from '~/ui/roving';
import { useNarrow } from '~/ui/useNarrow';
import type { Column } from './column';
import { copyRows, exportRows } from './copies';

/** BulkAction is an action on all selected rows. */
export type BulkAction = { label: string; run: () => void; danger?: boolean };

type Props<Row> = {
  rows: Row[];
  columns: Column<Row>[];
  noun: string;
  file: string;
  actions: BulkAction[];
  onDone: () => void;
};

const most = 3; // buttons beside copy and export; further actions are in a menu

/** The bar of actions on the selected rows, at the bottom of the page. */
export function Bulk<Row>({ rows, columns, noun, file, actions, onDone }: Props<Row>) {
  const roving = useRoving<HTMLDivElement>();
  const narrow = useNarrow();
  const all: BulkAction[] = [
    { label: 'Copy', run: () => copyRows(rows, columns) },
    { label: 'Export as CSV', run: () => exportRows(rows, columns, file) },
    ...actions,
  ];
  const count = narrow ? 1 : 2 + most;
  const shown = all.length > count ? all.slice(0, count - (narrow ? 0 : 1)) : all;
  return (
    <div
      {...roving}
      className="pop sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full items-center gap-2 p-2 print:hidden"
      role="toolbar"
      aria-label="Selection"
    >
      <span className="num px-2 whitespace-nowrap" aria-live="polite">
        {counted(rows.length, noun)} selected
      </span>
      {shown.map((action) => (
        <Button key={action.label} className={action.danger ? 'text-neg' : ''} onClick={action.run}>
          {action.label}
        </Button>
      ))}
      {shown.length < all.length && <Menu trigger={<Button>More</Button>} items={all.slice(shown.length)} />}
      <IconButton label="Clear the selection" onClick={onDone}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
