import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Download, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { problemOf } from '~/api/problem';
import { counted, words } from '~/format/words';
import { Findings, findingsOf } from '~/imports/Findings';
import { type ImportKind, sendImport } from '~/imports/send';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import { Facts, Page, Section } from '~/ui/Page';
import { Segments } from '~/ui/Segments';
import { notify } from '~/ui/Toasts';

export const Route = createFileRoute('/_user/company/$organization/import')({ component: ImportPage });

const kinds = [
  ['package', 'Open Cap Format'],
  ['members', 'Members'],
  ['shareholdings', 'Shareholdings'],
  ['options', 'Options'],
] as const;

/** The import of a package or a spreadsheet: first a dry run with its findings, then the import. */
function ImportPage() {
  const { id: organization } = useCompany();
  const [address, setAddress] = useAddress();
  const queries = useQueryClient();
  const kind: ImportKind = kinds.find(([value]) => value === address.kind)?.[0] ?? 'package';
  const [file, setFile] = useState<File>();
  const [key, setKey] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const trial = useMutation({ mutationFn: (chosen: File) => sendImport(organization, kind, chosen, true, '') });
  const apply = useMutation({
    mutationFn: (chosen: File) => sendImport(organization, kind, chosen, false, key),
    onSuccess: (outcome) => {
      if (!outcome.accepted) return;
      queries.invalidateQueries();
      notify({
        title: `${file?.name} imported`,
        description: counted(outcome.events, 'journal entry', 'journal entries'),
      });
    },
  });
  const choose = (chosen: File | undefined) => {
    apply.reset();
    trial.reset();
    setFile(chosen);
    setKey(crypto.randomUUID());
    if (chosen) trial.mutate(chosen);
  };
  const outcome = apply.data ?? trial.data;
  const errors = outcome ? findingsOf(outcome).filter((one) => one.severity === 'error') : [];
  const problem = apply.error ?? trial.error;
  return (
    <Page
      title="Import"
      subtitle="Nothing is recorded before you apply the import. All of a file is imported, or none."
      actions={
        <Segments
          label="Kind of the file"
          value={kind}
          choices={kinds}
          onChange={(next) => {
            choose(undefined);
            setAddress({ kind: next === 'package' ? undefined : next });
          }}
        />
      }
    >
      <section
        aria-label="File"
        className="flex flex-col items-center gap-3 rounded-[10px] border border-dashed border-line-strong px-4 py-10 text-center"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          choose(event.dataTransfer.files[0]);
        }}
      >
        <p className="font-medium">
          {file
            ? file.name
            : kind === 'package'
              ? 'Drop an Open Cap Format package (.zip)'
              : 'Drop a spreadsheet (CSV or XLSX)'}
        </p>
        <div className="flex gap-2">
          <Button onClick={() => input.current?.click()}>
            <Upload size={15} aria-hidden />
            Choose a file
          </Button>
          {kind !== 'package' && (
            <a
              href={`/v1/organization/${organization}/import?kind=${kind}`}
              download={`${kind}.csv`}
              className="btn btn-ghost"
            >
              <Download size={15} aria-hidden />
              Template
            </a>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept={kind === 'package' ? '.zip' : '.csv,.xlsx'}
          aria-label="File to import"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            choose(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </section>
      {(trial.isPending || apply.isPending) && (
        <div role="status" aria-label="Checking the file" className="skeleton mt-6 h-24" />
      )}
      {problem && (
        <div className="mt-6">
          <Banner tone="bad">{problemOf(problem).message} No data was changed.</Banner>
        </div>
      )}
      {outcome && (
        <div className="mt-6">
          {apply.data?.accepted ? (
            <Banner tone="good">Imported.</Banner>
          ) : errors.length > 0 ? (
            <Banner tone="bad">{counted(errors.length, 'error')}. Correct the file and choose it again.</Banner>
          ) : (
            <Banner>The file can be imported.</Banner>
          )}
          {Object.keys(outcome.counts).length > 0 && (
            <Section
              title={outcome.dryRun ? 'What the import records' : 'Recorded'}
              detail={counted(outcome.events, 'entry', 'entries')}
            >
              <Facts rows={Object.entries(outcome.counts).map(([type, count]) => [words(type), count.toString()])} />
            </Section>
          )}
          {findingsOf(outcome).length > 0 && (
            <Section title="Findings">
              <Findings outcome={outcome} />
            </Section>
          )}
          {!apply.data && errors.length === 0 && file && (
            <Button look="primary" disabled={apply.isPending} onClick={() => apply.mutate(file)}>
              {apply.isPending ? 'Importing…' : `Import ${counted(outcome.events, 'entry', 'entries')}`}
            </Button>
          )}
        </div>
      )}
    </Page>
  );
}
