import { useQuery } from '@tanstack/react-query';
import { problemOf, readProblem } from '~/api/problem';
import { useCompany } from '~/shell/company';
import { useObjectUrl } from '~/ui/useObjectUrl';
import { displayOf, type Item } from './api';

const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const texts = new Set(['text/plain', 'text/csv']);
const largest = 25_000_000; // bytes that a preview loads
const mostLetters = 100_000;

/** Reports whether browsers can show a document safely. */
const isShown = (item: Item, type: string) =>
  (images.has(type) || texts.has(type) || type === 'application/pdf') &&
  (item.size ?? 0) <= largest &&
  item.scan !== 'infected' &&
  item.scan !== 'pending';

/** The content of a document. The server permits no frames, so the page loads the bytes and shows them itself. */
export function Preview({ item }: { item: Item }) {
  const { id: organization } = useCompany();
  const type = item.mediaType?.split(';')[0] ?? '';
  const shown = isShown(item, type);
  const content = useQuery({
    queryKey: ['pinned', 'content', organization, item.id, item.versionNumber],
    queryFn: async ({ signal }) => {
      const response = await fetch(displayOf(organization, item), { signal });
      if (!response.ok) throw await readProblem(response);
      const blob = new Blob([await response.arrayBuffer()], { type });
      return { blob, text: texts.has(type) ? await blob.text() : undefined };
    },
    enabled: shown,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const address = useObjectUrl(content.data?.blob);
  if (!shown) return null;
  if (content.isError) return <p className="mt-4 text-ink-3">{problemOf(content.error).message}</p>;
  if (!content.data || !address) return <div className="skeleton unsized mt-4 h-48" />;
  if (content.data.text !== undefined)
    return (
      <pre
        tabIndex={0}
        className="num mt-4 max-h-96 overflow-auto rounded-[7px] border border-line bg-canvas p-3 text-xs whitespace-pre-wrap"
      >
        {content.data.text.slice(0, mostLetters)}
      </pre>
    );
  if (images.has(type))
    return <img src={address} alt={item.name} className="mt-4 max-h-96 rounded-[7px] border border-line" />;
  return (
    <iframe
      title={item.name}
      src={item.access.download ? address : `${address}#toolbar=0`}
      className="mt-4 h-[480px] w-full rounded-[7px] border border-line bg-canvas"
    />
  );
}
