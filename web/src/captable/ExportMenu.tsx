import { Download, MoreHorizontal } from 'lucide-react';
import { type Day, useDay } from '~/day/day';
import { useCompany } from '~/shell/company';
import { Button, IconButton } from '~/ui/Button';
import { Menu } from '~/ui/Menu';
import { useNarrow } from '~/ui/useNarrow';

const formats = [
  ['xlsx', 'Spreadsheet (XLSX)'],
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['ocf', 'Open Cap Format'],
] as const;

/** Saves the cap table on a day in a format. */
export function downloadTable(organization: string, day: Day['query'], format: string): void {
  const parameters = new URLSearchParams({ format, ...day });
  const link = document.createElement('a');
  link.href = `/v1/organization/${organization}/captable?${parameters}`;
  link.download = `captable.${format === 'ocf' ? 'ocf.zip' : format}`;
  link.click();
}

/** The downloads of the cap table on the displayed day. */
export function ExportMenu() {
  const { id: organization } = useCompany();
  const { query } = useDay();
  const narrow = useNarrow();
  return (
    <Menu
      trigger={
        narrow ? (
          <IconButton label="Export">
            <MoreHorizontal size={16} aria-hidden />
          </IconButton>
        ) : (
          <Button>
            <Download size={15} aria-hidden />
            Export
          </Button>
        )
      }
      items={formats.map(([format, label]) => ({ label, run: () => downloadTable(organization, query, format) }))}
    />
  );
}
