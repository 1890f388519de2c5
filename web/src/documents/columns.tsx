import { FileText, Folder, Info } from 'lucide-react';
import { moment } from '~/format/dates';
import { size } from '~/format/figures';
import type { Column } from '~/register/column';
import { IconButton } from '~/ui/Button';
import { Chip } from '~/ui/Chip';
import { State } from '~/ui/State';
import type { Item } from './api';

/** The states of the virus scan of files that cannot be opened. */
const scans: Record<string, string> = { pending: 'scanning', infected: 'infected', failed: 'scanFailed' };

/** The columns of a folder. The button of a row opens its details, also of a folder. */
export const columnsOf = (details: (item: Item) => void): Column<Item>[] => [
  {
    id: 'name',
    header: 'Name',
    value: (row) => row.name,
    width: 'minmax(200px, 3fr)',
    cell: (row) => (
      <span className="flex items-center gap-2">
        {row.type === 'folder' ? (
          <Folder size={15} aria-label="Folder" className="shrink-0 text-accent" />
        ) : (
          <FileText size={15} aria-label="File" className="shrink-0 text-ink-3" />
        )}
        <span className="truncate">{row.name}</span>
        {row.scan && scans[row.scan] && <State of={scans[row.scan] ?? ''} />}
        {row.access.mode === 'restricted' && <Chip>restricted</Chip>}
      </span>
    ),
    narrow: 'title',
  },
  {
    id: 'size',
    header: 'Size',
    value: (row) => row.size?.toString(),
    cell: (row) => (row.size === undefined ? '–' : size(row.size)),
    width: '110px',
    narrow: 'detail',
    spare: 2,
  },
  { id: 'versions', header: 'Versions', value: (row) => row.versions?.toString(), width: '90px', spare: 1 },
  {
    id: 'changed',
    header: 'Changed',
    value: (row) => row.updatedAt,
    cell: (row) => <span className="num">{moment(row.updatedAt)}</span>,
    width: '170px',
    narrow: 'detail',
  },
  {
    id: 'details',
    header: 'Details',
    value: () => '',
    width: '64px',
    narrow: 'value',
    cell: (row) => (
      <IconButton
        label={`Details of ${row.name}`}
        onClick={(event) => {
          event.stopPropagation();
          details(row);
        }}
      >
        <Info size={15} aria-hidden />
      </IconButton>
    ),
  },
];
