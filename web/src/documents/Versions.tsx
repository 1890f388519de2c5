import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { api } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useDay } from '~/day/day';
import { moment } from '~/format/dates';
import { size } from '~/format/figures';
import { useHolders } from '~/records/useNames';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Loaded } from '~/ui/Loaded';
import { Banner } from '~/ui/Notice';
import { notify } from '~/ui/notify';
import { Facts } from '~/ui/Page';
import { ProgressBar } from '~/ui/ProgressBar';
import { contentOf, documentsKey, type Item, upload } from './api';

/** The versions of a document, newest first, and for editors the upload of the next one. */
export function Versions({ item }: { item: Item }) {
  const company = useCompany();
  const { past, knownAt } = useDay();
  const queries = useQueryClient();
  const { members } = useHolders();
  const input = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState(0);
  const versions = api.useQuery('get', '/organization/{organization}/document/{document}/version', {
    params: { path: { organization: company.id, document: item.id }, query: { knownAt } },
  });
  const store = useMutation({
    mutationFn: (file: File) => {
      setSent(0);
      const named = new File([file], item.name, { type: file.type });
      return upload(company.id, item.parentFolder ?? undefined, named, crypto.randomUUID(), setSent);
    },
    onSuccess: () => {
      notify({ title: `New version of ${item.name} stored` });
      queries.invalidateQueries({ queryKey: documentsKey });
      versions.refetch();
    },
  });
  const author = (user: string) => members.find((member) => member.user === user)?.fullName;
  return (
    <section aria-label="Versions" className="mt-6">
      <header className="mb-1 flex min-h-8 items-center">
        <h3 className="mr-auto font-medium">Versions</h3>
        {company.can('editDocuments') && !past && (
          <Button disabled={store.isPending} onClick={() => input.current?.click()}>
            <Upload size={15} aria-hidden />
            New version
          </Button>
        )}
      </header>
      <input
        ref={input}
        type="file"
        aria-label="File of the new version"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) store.mutate(file);
          event.target.value = '';
        }}
      />
      {store.isPending && <ProgressBar label="Progress of the new version" done={sent} />}
      {store.error && <Banner tone="bad">{problemOf(store.error).message} No version was stored.</Banner>}
      <Loaded what="The versions" query={versions}>
        {({ data }) => (
          <Facts
            rows={data.toReversed().map((version) => [
              `Version ${version.versionNumber}`,
              <span key={version.file}>
                {[author(version.createdBy), size(version.size), moment(version.createdAt)].filter(Boolean).join(', ')}{' '}
                <a
                  className="ml-2 font-medium text-accent hover:underline"
                  href={contentOf(company.id, item, version.versionNumber)}
                  download={item.name}
                  aria-label={`Download version ${version.versionNumber}`}
                >
                  Download
                </a>
              </span>,
            ])}
          />
        )}
      </Loaded>
    </section>
  );
}
