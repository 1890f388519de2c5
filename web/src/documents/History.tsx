import { api } from '~/api/client';
import { moment } from '~/format/dates';
import { size } from '~/format/figures';
import { useHolders } from '~/records/useNames';
import { useCompany } from '~/shell/company';
import { Facts } from '~/ui/Page';
import type { Item } from './api';

/** The versions of a document, and for editors the people who read it. */
export function History({ item }: { item: Item }) {
  const company = useCompany();
  const path = { organization: company.id, document: item.id };
  const { members } = useHolders();
  const versions = api.useQuery('get', '/organization/{organization}/document/{document}/version', {
    params: { path },
  });
  const views = api.useQuery(
    'get',
    '/organization/{organization}/document/{document}/view',
    { params: { path } },
    { enabled: company.can('editDocuments') },
  );
  const reader = (view: { user?: string; email?: string }) =>
    view.email ?? members.find((member) => member.user === view.user)?.fullName ?? 'Member';
  const read = views.data?.data ?? [];
  return (
    <>
      <h3 className="mt-6 mb-1 font-medium">Versions</h3>
      <Facts
        rows={(versions.data?.data ?? []).map((version) => [
          `Version ${version.versionNumber}`,
          <a
            key={version.file}
            className="hover:underline"
            href={`/v1/organization/${company.id}/document/${item.id}/content?versionNumber=${version.versionNumber}`}
          >
            {size(version.size)}, {moment(version.createdAt)}
          </a>,
        ])}
      />
      {read.length > 0 && (
        <>
          <h3 className="mt-6 mb-1 font-medium">Readers</h3>
          <Facts rows={read.slice(0, 20).map((view) => [reader(view), `${view.kind}, ${moment(view.at)}`])} />
        </>
      )}
    </>
  );
}
