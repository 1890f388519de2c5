import { Download, Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import type { ImportKind } from './send';

type Props = { kind: ImportKind; files: File[]; onChoose: (files: File[]) => void };

/** The place where files are dropped or chosen, with the template of spreadsheets. */
export function FilePicker({ kind, files, onChoose }: Props) {
  const { id: organization } = useCompany();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const whole = kind === 'package';
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = [...event.dataTransfer.files];
    if (dropped.length > 0) onChoose(whole ? dropped : dropped.slice(0, 1));
  };
  return (
    <fieldset
      aria-label="Place for files"
      className={`flex flex-col items-center gap-1 rounded-[10px] border border-dashed px-4 py-10 text-center ${over ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p className="font-medium">
        {files.length > 0
          ? files.map((file) => file.name).join(', ')
          : whole
            ? 'Drop an Open Cap Format package'
            : 'Drop a spreadsheet'}
      </p>
      <p className="text-ink-3">
        {whole
          ? 'One zip file, or its separate JSON files'
          : 'XLSX or CSV with the columns of the template or of another product, up to 10,000 rows'}
      </p>
      <div className="mt-3 flex gap-2">
        <Button onClick={() => input.current?.click()}>
          <Upload size={15} aria-hidden />
          Choose a file
        </Button>
        {!whole && (
          <a
            href={`/v1/organization/${organization}/import?kind=${kind}`}
            download={`${kind}.csv`}
            className="btn btn-ghost"
          >
            <Download size={15} aria-hidden />
            Template
          </a>
        )}
      </div>
      <input
        ref={input}
        type="file"
        multiple={whole}
        accept={whole ? '.zip,.json' : '.csv,.tsv,.txt,.xlsx,.xlsm'}
        aria-label="File to import"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          onChoose([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </fieldset>
  );
}
