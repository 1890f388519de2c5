import { useEffect } from 'react';
import { quantity } from '~/format/figures';
import { counted } from '~/format/words';
import { notify } from '~/ui/notify';
import { mostPrinted } from './PrintedRows';

/** States that a print has a part of the rows, and offers the workbook with all of them. `printed` is 0 while nothing is printed. */
export function usePrintLimit(printed: number, noun: string, workbook: () => void): void {
  useEffect(() => {
    if (printed > mostPrinted)
      notify({
        title: `The print has ${quantity(mostPrinted.toString())} of ${counted(printed, noun)}`,
        description: 'The workbook has all of them.',
        action: { label: 'Download the workbook', run: workbook },
      });
  }, [printed]);
}
