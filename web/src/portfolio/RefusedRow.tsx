import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { day, isoDay } from '~/format/dates';
import { counted } from '~/format/words';
import { IconButton } from '~/ui/Button';
import type { CompanyImport } from './useRefused';

/** A refused import, with a link to its page, where the corrected file is chosen. */
export function RefusedRow({ refused, onDismiss }: { refused: CompanyImport; onDismiss: () => void }) {
  const { organization, company, kind, file, errors, at } = refused;
  return (
    <li className="flex items-center border-b border-line">
      <Link
        to="/company/$organization/import"
        params={{ organization }}
        search={kind === 'package' ? {} : { kind }}
        className="flex min-h-10 min-w-0 flex-1 items-center gap-3 py-1 hover:bg-hover"
      >
        <span className="min-w-0 flex-1 break-words">
          <span className="font-medium">Correct the import of {file}</span>{' '}
          <span className="text-ink-2">{counted(errors, 'error')}</span>
        </span>
        <span className="text-ink-3 max-[900px]:hidden">{company}</span>
        <span className="num whitespace-nowrap text-ink-3">{day(isoDay(new Date(at)))}</span>
      </Link>
      <IconButton label={`Dismiss the import of ${file}`} className="ml-1" onClick={onDismiss}>
        <X size={15} aria-hidden />
      </IconButton>
    </li>
  );
}
