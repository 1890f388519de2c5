import { Download, ShieldCheck } from 'lucide-react';
import type { Schema } from '~/api/client';
import { day } from '~/format/dates';
import { cell } from '~/format/figures';
import { Facts } from '~/ui/Page';

type Shareholding = Schema<'Shareholding'>;

/** The certificate of a shareholding, shown in the page, with its download and its vesting. */
export function ShareDetails({ row }: { row: Shareholding }) {
  const certificate = `/v1/shareholding/${row.id}/certificate`;
  return (
    <>
      {row.vestings && row.vestings.length > 0 && (
        <>
          <h3 className="mt-6 mb-1 font-medium">Vesting</h3>
          <Facts rows={row.vestings.map((one) => [day(one.date), cell(one.quantity)])} />
        </>
      )}
      <div className="mt-6 mb-2 flex items-center gap-2">
        <h3 className="mr-auto font-medium">Certificate</h3>
        <a href={certificate} download={`${row.certificate}.pdf`} className="btn btn-outline">
          <Download size={15} aria-hidden />
          Download
        </a>
        <a href={`${certificate}/copy`} target="_blank" rel="noopener" className="btn btn-ghost">
          <ShieldCheck size={15} aria-hidden />
          Copy
        </a>
      </div>
      <iframe
        title={`Certificate ${row.certificate}`}
        src={`${certificate}#toolbar=0&navpanes=0`}
        className="h-[420px] w-full rounded-[7px] border border-line bg-canvas"
      />
    </>
  );
}
