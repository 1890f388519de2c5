import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';
import { type Progress, sendForm } from '~/api/upload';
import { useDay } from '~/day/day';

export type Item = Schema<'Document'>;

/** The beginning of the keys of all lists of the data room. */
export const documentsKey = ['get', '/organization/{organization}/document'];

/** The list of a folder, of the root without one, or of the trash. */
const folderQuery = (organization: string, folder: string | undefined, deleted: boolean, knownAt?: string) =>
  queryOptions({
    queryKey: [...documentsKey, organization, folder ?? 'root', deleted, knownAt],
    queryFn: async ({ signal }) => {
      const query = { ...(deleted ? { deleted } : { parentFolder: folder ?? 'root' }), ...(knownAt && { knownAt }) };
      const params = { path: { organization }, query: query };
      const { data } = await client.GET('/organization/{organization}/document', { params, signal });
      return data ?? [];
    },
  });

/** Lists a folder, or the trash, as known at the time of the page. */
export function useFolder(organization: string, folder: string | undefined, deleted = false, enabled = true) {
  const { knownAt } = useDay();
  return useQuery({ ...folderQuery(organization, folder, deleted, knownAt), enabled });
}

/** Returns the folders of a path with their names, from the root down. The name of a folder is in the list of the one above. */
export function useTrail(organization: string, folders: string[]): { id: string; name: string }[] {
  const { knownAt } = useDay();
  const lists = useQueries({
    queries: folders.map((_, at) => folderQuery(organization, folders[at - 1], false, knownAt)),
  });
  return folders.map((id, at) => ({
    id,
    name: lists[at]?.data?.find((item) => item.id === id)?.name ?? (lists[at]?.isPending ? '…' : 'Folder'),
  }));
}

/** Uploads a file into a folder. A file with the name of a document becomes its next version. */
export function upload(
  organization: string,
  folder: string | undefined,
  file: File,
  key: string,
  progress: Progress,
  signal?: AbortSignal,
): Promise<Schema<'DocumentList'>> {
  const body = new FormData();
  if (folder) body.append('parentFolder', folder);
  body.append('file', file);
  const headers = { 'Idempotency-Key': key };
  return sendForm(`/organization/${organization}/document/many`, body, headers, progress, signal);
}

/** The address of the content of a document; `version` is the current one by default. */
export const contentOf = (organization: string, item: Item, version?: number): string =>
  `/v1/organization/${organization}/document/${item.id}/content${version ? `?versionNumber=${version}` : ''}`;

/** The address at which the content of a document is displayed under its name. */
export const displayOf = (organization: string, item: Item): string =>
  `/v1/organization/${organization}/document/${item.id}/content/${encodeURIComponent(item.name)}`;
