import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { problemOf } from '~/api/problem';
import { useDay } from '~/day/day';
import { FilePicker } from '~/imports/FilePicker';
import { Outcome, sizeOf, Verdict } from '~/imports/Outcome';
import { ReadingFields } from '~/imports/ReadingFields';
import type { Reading } from '~/imports/reading';
import { keepResult } from '~/imports/refused';
import { type ImportKind, type ImportOutcome, sendImport } from '~/imports/send';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Banner, Empty } from '~/ui/Notice';
import { notify } from '~/ui/notify';
import { Page } from '~/ui/Page';
import { Part } from '~/ui/Part';
import { ProgressBar } from '~/ui/ProgressBar';
import { Segments } from '~/ui/Segments';

export const Route = createFileRoute('/_user/company/$organization/import')({ component: ImportPage });

const kinds = [
  ['package', 'Package'],
  ['members', 'Members'],
  ['shareholdings', 'Shareholdings'],
  ['options', 'Options'],
] as const;

const abouts: Record<ImportKind, string> = {
  package: 'A whole company in the Open Cap Format, which other products export.',
  members: 'Stakeholders with their addresses and roles, one in each row.',
  shareholdings: 'Shares with their holders and classes, one certificate in each row.',
  options: 'Option grants with their plans and vesting, one in each row.',
};

type Chosen = { files: File[]; key: string; partial: boolean; reading: Reading };

const nothing: Chosen = { files: [], key: '', partial: false, reading: {} };

const fieldsOf = (kind: ImportKind): (keyof Reading)[] =>
  kind === 'members'
    ? ['dateFormat', 'sheet', 'encoding']
    : ['numberFormat', 'dateFormat', 'issueDate', 'sheet', 'encoding'];

/** The import of a package or a spreadsheet: first a dry run with its findings, then the import. */
function ImportPage() {
  const { id: organization } = useCompany();
  const { id: user } = useUser();
  const { past, set } = useDay();
  const [address, setAddress] = useAddress();
  const queries = useQueryClient();
  const kind: ImportKind = kinds.find(([value]) => value === address.kind)?.[0] ?? 'package';
  const [chosen, setChosen] = useState(nothing);
  const [sent, setSent] = useState(0);
  const send = (dryRun: boolean) => (wanted: Chosen) => {
    setSent(0);
    return sendImport({ organization, kind, dryRun, ...wanted }, setSent);
  };
  const keep = (outcome: ImportOutcome, { files }: Chosen) => keepResult(user, organization, { kind, files }, outcome);
  const trial = useMutation({ mutationFn: send(true), onSuccess: keep });
  const apply = useMutation({
    mutationFn: send(false),
    onSuccess: (outcome, chosen) => {
      keep(outcome, chosen);
      if (!outcome.accepted) return;
      queries.invalidateQueries();
      notify({ title: 'Import recorded', description: sizeOf(outcome) });
    },
  });
  const check = (next: Chosen) => {
    apply.reset();
    trial.reset();
    setChosen(next);
    if (next.files.length > 0) trial.mutate(next);
  };
  const choose = (files: File[]) => check({ ...nothing, files, key: crypto.randomUUID() });
  const outcome = apply.data ?? trial.data;
  const problem = apply.error ?? trial.error;
  const refused = outcome?.rows?.some((row) => row.status === 'refused');
  const working = trial.isPending || apply.isPending;
  if (past)
    return (
      <Page title="Import">
        <Empty
          title="Imports are off"
          action={<Button onClick={() => set({ asOf: undefined, knownAt: undefined })}>Back to today</Button>}
        >
          The page shows the past, where nothing can be changed.
        </Empty>
      </Page>
    );
  const about = abouts[kind];
  return (
    <Page
      title="Import"
      subtitle="Nothing is recorded before you apply the import. All of a file is imported, or none."
    >
      <div className="border-t border-line pt-6">
        <Part title="What to import" help={about}>
          <div className="overflow-x-auto">
            <div className="w-max">
              <Segments
                label="Kind of the file"
                value={kind}
                choices={kinds}
                onChange={(next) => {
                  check(nothing);
                  setAddress({ kind: next === 'package' ? undefined : next });
                }}
              />
            </div>
          </div>
        </Part>
        <Part title="File" help="It is checked at once. Its findings name the cells or objects that they are about.">
          <FilePicker kind={kind} files={chosen.files} onChoose={choose} />
          {working && (
            <div role="status" className="mt-4 flex flex-col gap-2">
              <p className="text-ink-2">
                {sent < 1 ? 'Sending the file' : trial.isPending ? 'Checking the file' : 'Importing'}
              </p>
              <ProgressBar label="Sent" done={sent} />
            </div>
          )}
          {problem && (
            <div className="mt-4">
              <Banner tone="bad">{problemOf(problem).message} No data was changed.</Banner>
            </div>
          )}
          {outcome && !working && (
            <div className="mt-4">
              <Verdict outcome={outcome} />
            </div>
          )}
        </Part>
        {kind !== 'package' && chosen.files.length > 0 && (
          <Part
            title="How to read the file"
            help="Fill this in only if a finding asks for it."
            actions={
              <Button disabled={working} onClick={() => check(chosen)}>
                Check again
              </Button>
            }
          >
            <ReadingFields
              reading={chosen.reading}
              fields={fieldsOf(kind)}
              onChange={(reading) => setChosen({ ...chosen, reading, key: crypto.randomUUID() })}
            />
          </Part>
        )}
        {outcome && !working && <Outcome outcome={outcome} />}
        {outcome && !working && !apply.data && (outcome.accepted || (kind === 'members' && refused)) && (
          <div className="sticky bottom-0 flex flex-wrap items-center gap-4 border-line border-t bg-surface py-3 print:hidden">
            <Button
              look="primary"
              disabled={!outcome.accepted || trial.variables?.reading !== chosen.reading}
              onClick={() => apply.mutate(chosen)}
            >
              Import {sizeOf(outcome)}
            </Button>
            {kind === 'members' && refused && (
              <label className="flex items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 accent-(--accent)"
                  checked={chosen.partial}
                  onChange={(event) => check({ ...chosen, partial: event.target.checked })}
                />
                Skip the refused rows
              </label>
            )}
          </div>
        )}
      </div>
    </Page>
  );
}
