import { useCompany } from '~/shell/company';
import { contentOf, type Item } from './api';

const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const framed = new Set(['application/pdf', 'text/plain', 'text/csv']);

/** The content of a document that browsers can show safely. */
export function Preview({ item }: { item: Item }) {
  const { id: organization } = useCompany();
  const type = item.mediaType?.split(';')[0] ?? '';
  const url = contentOf(organization, item, true);
  if (images.has(type))
    return <img src={url} alt={item.name} className="mt-4 max-h-96 rounded-[7px] border border-line" />;
  if (framed.has(type))
    return (
      <iframe
        title={item.name}
        src={url}
        className="mt-4 h-[420px] w-full rounded-[7px] border border-line bg-canvas"
      />
    );
  return null;
}
