import { X } from 'lucide-react';
import { size } from '~/format/figures';
import { counted } from '~/format/words';
import { Button, IconButton } from '~/ui/Button';
import { ProgressBar } from '~/ui/ProgressBar';
import type { Upload, useUploads } from './useUploads';

const states: Record<Upload['state'], string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  stored: 'Stored',
  failed: 'Failed',
};

/** The files on their way into the data room, with their progress. */
export function Uploads({ uploads, again, clear }: Pick<ReturnType<typeof useUploads>, 'uploads' | 'again' | 'clear'>) {
  if (uploads.length === 0) return null;
  const stored = uploads.filter((one) => one.state === 'stored').length;
  return (
    <section aria-label="Uploads" className="mb-4 rounded-[10px] border border-line px-4 py-2">
      <header className="flex min-h-8 items-center gap-2">
        <h2 className="mr-auto font-medium" role="status">
          {stored} of {counted(uploads.length, 'file')} stored
        </h2>
        <IconButton label="Dismiss" onClick={clear}>
          <X size={14} aria-hidden />
        </IconButton>
      </header>
      <ul className="max-h-52 overflow-y-auto">
        {uploads.map((one) => (
          <li key={one.key} className="flex min-h-9 items-center gap-4 border-t border-line">
            <span className="min-w-0 flex-1 py-1">
              <span className="block truncate">{one.file.name}</span>
              {one.reason && <span className="block text-xs break-words text-neg">{one.reason}</span>}
            </span>
            <span className="num text-ink-3 max-[900px]:hidden">{size(one.file.size)}</span>
            <span className="w-28">
              {one.state === 'failed' ? (
                <Button className="h-7!" onClick={() => again(one)}>
                  Send again
                </Button>
              ) : one.state === 'sending' ? (
                <ProgressBar label={`Progress of ${one.file.name}`} done={one.sent} />
              ) : (
                <span className="text-ink-3">{states[one.state]}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
