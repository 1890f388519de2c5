import { Copy } from 'lucide-react';
import { useState } from 'react';
import { counted } from '~/format/words';
import { PlaceLink } from '~/journal/PlaceLink';
import { placeOfEntry } from '~/journal/places';
import type { ProofResult } from '~/journal/proof';
import { IconButton } from '~/ui/Button';
import { copy } from '~/ui/copy';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Banner } from '~/ui/Notice';

/** The result of a verified proof: the first fault, or the last hash and how to compare it. */
export function ProofResultView({ result }: { result: ProofResult }) {
  if (result.fault) return <Banner tone="bad">The journal is not intact. {result.fault}</Banner>;
  return (
    <div className="flex max-w-3xl flex-col gap-3">
      <Banner tone="good">
        {counted(result.rows - result.unproven, 'entry', 'entries')} verified: each hash was recomputed here and none
        differs.
      </Banner>
      {result.unproven > 0 && (
        <Banner tone="warn">
          The content of {counted(result.unproven, 'entry', 'entries')} is not verified, because private fields that you
          may not read are part of the hash. The place of these entries in the chain is verified.
        </Banner>
      )}
      <div>
        <p className="text-xs text-ink-3">Hash of the last entry</p>
        <p className="flex items-center gap-1">
          <code className="num min-w-0 text-xs break-all">{result.hash}</code>
          <IconButton label="Copy the hash" onClick={() => copy(result.hash, 'Hash copied')}>
            <Copy size={14} aria-hidden />
          </IconButton>
        </p>
        <p className="max-w-[72ch] text-ink-2">
          Keep this hash outside of Equity, for example in the minutes of the board. To check it offline, download the
          proof and run <code className="text-xs">equity verify journal.jsonl</code>: it must print the same hash.
        </p>
      </div>
      <Comparison result={result} />
    </div>
  );
}

/** Finds the entry of a hash that the reader noted earlier. */
function Comparison({ result }: { result: ProofResult }) {
  const [noted, setNoted] = useState('');
  const hash = noted.trim().toLowerCase();
  const sequence = result.sequences.get(hash);
  const error = hash.length === 64 && sequence === undefined;
  return (
    <div className="max-w-xl">
      <Field
        label="Compare with a noted hash"
        optional
        error={error ? 'No entry has this hash: the journal is not the one of which the hash was noted.' : undefined}
      >
        {(parts) => (
          <Input
            {...parts}
            className="num"
            maxLength={80}
            spellCheck={false}
            value={noted}
            onChange={(event) => setNoted(event.target.value)}
          />
        )}
      </Field>
      {sequence !== undefined && (
        <p role="status" className="mt-1 text-pos">
          This is the hash of{' '}
          <PlaceLink place={placeOfEntry(sequence)} className="font-medium underline">
            entry {sequence}
          </PlaceLink>
          . No entry up to it has changed since.
        </p>
      )}
    </div>
  );
}
