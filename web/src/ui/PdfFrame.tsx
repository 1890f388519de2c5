import { useQuery } from '@tanstack/react-query';
import { readProblem } from '~/api/problem';
import { Failure } from './Notice';
import { useObjectUrl } from './useObjectUrl';

type Props = { title: string; what: string; address: string; version: string; className?: string };

/**
 * A PDF of the API inside the page. The API sends it as a download, which no frame shows, so the page loads it and frames
 * its bytes. A new `version` loads it again.
 */
export function PdfFrame({ title, what, address, version, className = '' }: Props) {
  const file = useQuery({
    queryKey: ['pdf', address, version],
    queryFn: async ({ signal }) => {
      const response = await fetch(address, { signal });
      if (!response.ok) throw await readProblem(response);
      return response.blob();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useObjectUrl(file.data);
  if (file.isError) return <Failure what={what} error={file.error} retry={file.refetch} />;
  if (!url) return <div className={`skeleton w-full ${className}`} />;
  return (
    <iframe
      title={title}
      src={`${url}#toolbar=0&navpanes=0&view=Fit`}
      className={`w-full rounded-[7px] border border-line bg-canvas ${className}`}
    />
  );
}
