import { Download } from 'lucide-react';
import { useDay } from '~/day/day';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Menu } from '~/ui/Menu';

const formats = [
  ['xlsx', 'Spreadsheet (XLSX)'],
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['ocf', 'Open Cap Format'],
] as const;

/** The downloads of the cap table on the displayed day. */
export function ExportMenu() {
  const { id: organization } = useCompany();
  const { query } = useDay();
  const download = (format: string) => {
    const parameters = new URLSearchParams({ format, ...query });
    const link = document.createElement('a');
    link.href = `/v1/organization/${organization}/captable?${parameters}`;
    link.download = `captable.${format === 'ocf' ? 'ocf.zip' : format}`;
    link.click();
  };
  return (
    <Menu
      trigger={
        <Button>
          <Download size={15} aria-hidden />
          Export
        </Button>
      }
      items={formats.map(([format, label]) => ({ label, run: () => download(format) }))}
    />
  );
}
