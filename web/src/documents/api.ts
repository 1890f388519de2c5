import { useQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';
import { readProblem } from '~/api/problem';

export type Item = Schema<'Document'>;

/** Lists a folder, or the trash. */
export const useFolder = (organization: string, folder: string | undefined, deleted: boolean) =>
  useQuery({
    queryKey: ['get', '/organization/{organization}/document', organization, folder, deleted],
    queryFn: async ({ signal }) => {
      const query = deleted ? { deleted: true } : { parentFolder: folder ?? 'root' };
      const params = { path: { organization }, query: query as never };
      const { data } = await client.GET('/organization/{organization}/document', { params, signal });
      return data as unknown as Item[];
    },
  });

/** Uploads files into a folder: all of them, or none. A file with the name of a document becomes its next version. */
export async function upload(organization: string, folder: string | undefined, files: File[]): Promise<void> {
  const body = new FormData();
  if (folder) body.append('parentFolder', folder);
  for (const file of files) body.append('file', file);
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const response = await fetch(`/v1/organization/${organization}/document/many`, { method: 'POST', headers, body });
  if (!response.ok) throw await readProblem(response);
}

/** The address of the content of a document; shown in the browser under its name. */
export const contentOf = (organization: string, item: Item, inline: boolean): string =>
  `/v1/organization/${organization}/document/${item.id}/content${inline ? `/${encodeURIComponent(item.name)}` : ''}`;
