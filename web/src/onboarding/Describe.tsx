import { Paperclip } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { problemOf } from '~/api/problem';
import { quantity } from '~/format/figures';
import { ReadingFields } from '~/imports/ReadingFields';
import type { Reading } from '~/imports/reading';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { TextArea } from '~/ui/Input';
import { Banner } from '~/ui/Notice';
import { Unsaved } from '~/ui/Unsaved';
import { useBegin } from './useOnboarding';

const example =
  'Analytical Engines Inc., a Delaware corporation, founded by Ada Lovelace and Charles Babbage, 60/40, with a 10% option pool';

/** Descriptions are in English, and so are their figures. Readers with another notation are informed. */
const notation =
  quantity('1234567.5') === '1,234,567.5' ? '' : ' Write figures in English notation, such as 1,234,567.5.';

/** The first step: the description of the company in words, or a file. */
export function Describe({ onBegun }: { onBegun: (id: string) => void }) {
  const { email } = useUser();
  const begin = useBegin(email);
  const [prompt, setPrompt] = useState('');
  const [file, setFile] = useState<File>();
  const [reading, setReading] = useState<Reading>({});
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate({ prompt: prompt.trim(), file, reading }, { onSuccess: onBegun });
  };
  return (
    <form
      onSubmit={submit}
      className="flex max-w-2xl flex-col gap-4"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        setFile(event.dataTransfer.files[0]);
      }}
    >
      <Unsaved changed={() => (prompt !== '' || file !== undefined) && !begin.isSuccess} />
      <Field label="Describe the company" help={`For example: ${example}.${notation}`}>
        {(parts) => (
          <TextArea
            {...parts}
            rows={6}
            maxLength={4000}
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => input.current?.click()}>
          <Paperclip size={15} aria-hidden />
          {file ? file.name : 'Attach a package or a spreadsheet'}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".zip,.csv,.tsv,.txt,.xlsx,.xlsm"
          aria-label="Package or spreadsheet"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => setFile(event.target.files?.[0])}
        />
        <span className="text-xs text-ink-3">Open Cap Format (.zip), CSV or XLSX. You can also drop it here.</span>
      </div>
      {file && !/\.zip$/i.test(file.name) && (
        <ReadingFields
          reading={reading}
          fields={['numberFormat', 'dateFormat', 'sheet', 'encoding']}
          onChange={setReading}
        />
      )}
      {begin.error && (
        <Banner tone="bad">
          {problemOf(begin.error).message}{' '}
          {problemOf(begin.error)
            .faults.map((fault) => fault.message)
            .join(' ')}
        </Banner>
      )}
      <div>
        <Button type="submit" look="primary" disabled={begin.isPending || (!prompt.trim() && !file)}>
          {begin.isPending ? 'Reading…' : 'Plan the company'}
        </Button>
      </div>
    </form>
  );
}
