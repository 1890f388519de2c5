import { useMutation } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { problemOf, readProblem } from '~/api/problem';
import { counted } from '~/format/words';
import { checkProof, linesOf } from '~/journal/proof';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import { ProgressBar } from '~/ui/ProgressBar';
import { ProofResultView } from './ProofResult';

/** Downloads the proof of the journal and recomputes it in the browser. */
export function Proof() {
  const { id: organization } = useCompany();
  const [done, setDone] = useState({ rows: 0, expected: 1 });
  const url = `/v1/organization/${organization}/journal/proof`;
  const check = useMutation({
    mutationFn: async () => {
      setDone({ rows: 0, expected: 1 });
      const response = await fetch(url);
      if (!response.ok || !response.body) throw await readProblem(response);
      return checkProof(linesOf(response.body), (rows, expected) => setDone({ rows, expected }));
    },
  });
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-[72ch] text-ink-2">
        Each entry has a hash of its content and of the entry before it. A change, an insertion or an omission breaks
        the chain. Your browser computes all hashes itself, so it need not trust the server.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => check.mutate()} disabled={check.isPending}>
          <ShieldCheck size={15} aria-hidden />
          Verify in this browser
        </Button>
        <a href={url} download="journal.jsonl" className="btn btn-ghost">
          <Download size={15} aria-hidden />
          Download the proof
        </a>
      </div>
      {check.isPending && (
        <div className="flex max-w-md flex-col gap-1.5" role="status">
          <ProgressBar label="Verified entries" done={done.rows / done.expected} />
          <p className="num text-xs text-ink-3">{counted(done.rows, 'entry', 'entries')} verified so far</p>
        </div>
      )}
      {check.error && <Banner tone="bad">{problemOf(check.error).message}</Banner>}
      {check.data && <ProofResultView result={check.data} />}
    </div>
  );
}
