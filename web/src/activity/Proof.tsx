import { useMutation } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { problemOf, readProblem } from '~/api/problem';
import { counted } from '~/format/words';
import { checkProof } from '~/journal/proof';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';

/** Downloads the proof of the journal and recomputes it in the browser. */
export function Proof() {
  const { id: organization } = useCompany();
  const [rows, setRows] = useState(0);
  const url = `/v1/organization/${organization}/journal/proof`;
  const check = useMutation({
    mutationFn: async () => {
      const response = await fetch(url);
      if (!response.ok) throw await readProblem(response);
      return checkProof(await response.text(), setRows);
    },
  });
  const result = check.data;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => check.mutate()} disabled={check.isPending}>
          <ShieldCheck size={15} aria-hidden />
          {check.isPending
            ? `Verifying… ${rows > 0 ? counted(rows, 'entry', 'entries') : ''}`
            : 'Verify in this browser'}
        </Button>
        <a href={url} download="proof.jsonl" className="btn btn-ghost">
          <Download size={15} aria-hidden />
          Download the proof
        </a>
      </div>
      {check.error && <Banner tone="bad">{problemOf(check.error).message}</Banner>}
      {result?.fault && <Banner tone="bad">The journal is not intact. {result.fault}</Banner>}
      {result && !result.fault && (
        <Banner tone="good">
          {counted(result.rows, 'entry', 'entries')} verified: each hash was recomputed here and none differs. Last hash{' '}
          <code className="num break-all">{result.hash}</code>. Compare it with one that you noted earlier.
        </Banner>
      )}
    </div>
  );
}
