/** A link that downloads a file of a record, such as a report. */
export const FileLink = ({ file, children = 'Download' }: { file: string; children?: string }) => (
  <a href={`/v1/file/${encodeURIComponent(file)}/content`} className="text-accent hover:underline">
    {children}
  </a>
);
