import { useMutation } from '@tanstack/react-query';
import { problemOf } from '~/api/problem';
import { storeFile } from '~/api/upload';
import { size } from '~/format/figures';
import type { ControlProps } from './Control';

/** A file of a record, such as the report of a valuation. A chosen file is uploaded at once; the record keeps its id. */
export function FileInput({ value, onChange, context, spec, contract, body, ...parts }: ControlProps) {
  const upload = useMutation({
    mutationFn: (file: File) => storeFile(context.company.id, file),
    onSuccess: (file) => onChange(file.id),
  });
  const stored = typeof value === 'string' && value !== '';
  return (
    <div className="flex flex-col gap-1">
      <input
        {...parts}
        type="file"
        className="w-full text-sm file:btn file:btn-outline file:mr-3"
        onChange={(event) => event.target.files?.[0] && upload.mutate(event.target.files[0])}
      />
      {upload.isPending && <p className="text-ink-3">Uploading…</p>}
      {upload.isError && <p className="text-neg">{problemOf(upload.error).message}</p>}
      {stored && !upload.isPending && (
        <p className="flex gap-3 text-ink-2">
          <a href={`/v1/file/${value}/content`} className="text-accent hover:underline">
            {upload.data ? `${upload.data.name}, ${size(upload.data.size)}` : 'Stored file'}
          </a>
          <button type="button" className="text-accent hover:underline" onClick={() => onChange(undefined)}>
            Remove
          </button>
        </p>
      )}
    </div>
  );
}
