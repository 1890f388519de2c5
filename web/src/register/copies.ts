import { counted } from '~/format/words';
import { notify } from '~/ui/notify';
import { type Column, delimited } from './column';
import { download } from './download';

/** Copies rows as tab-separated text. */
export async function copyRows<Row>(rows: Row[], columns: Column<Row>[]): Promise<void> {
  try {
    await navigator.clipboard.writeText(delimited(rows, columns, '\t'));
    notify({ title: `${counted(rows.length, 'row')} copied` });
  } catch {
    notify({ title: 'The browser refused the copy. Export the rows as CSV instead.' });
  }
}

/** Saves rows as a CSV file. */
export const exportRows = <Row>(rows: Row[], columns: Column<Row>[], file: string): void =>
  download(`${file}.csv`, delimited(rows, columns, ','), 'text/csv');
