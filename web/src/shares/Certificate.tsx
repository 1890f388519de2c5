import { useQuery } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';
import type { Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { PdfFrame } from '~/ui/PdfFrame';
import { certificateOf } from './downloadCertificates';
import { certificateCode } from './verification';

type Shareholding = Schema<'Shareholding'>;

/** The certificate of a shareholding, shown in the page, with its download and its verification. Ended shares have a copy. */
export function Certificate({ row }: { row: Shareholding }) {
  const { past } = useDay();
  const { address, file, current } = certificateOf(row);
  const code = useQuery({
    queryKey: ['certificateCode', row.id, row.version],
    queryFn: () => certificateCode(row),
    enabled: !past,
  });
  return (
    <section aria-label="Certificate">
      <div className="mt-6 mb-2 flex flex-wrap items-center gap-2">
        <h3 className="mr-auto font-medium">{current ? 'Certificate' : 'Copy of the certificate'}</h3>
        {code.data && (
          <a href={`/v1/certificate/${code.data}`} target="_blank" rel="noopener" className="btn btn-ghost">
            <ShieldCheck size={15} aria-hidden />
            Verify
          </a>
        )}
        <a href={address} download={file} className="btn btn-outline">
          <Download size={15} aria-hidden />
          Download
        </a>
      </div>
      <PdfFrame
        title={`Certificate ${row.certificate}`}
        what="The certificate"
        address={address}
        version={row.version.toString()}
        className="aspect-[1.41]"
      />
    </section>
  );
}
