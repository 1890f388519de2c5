import { counted } from '~/format/words';
import { copy } from '~/ui/copy';
import { type Column, delimited } from './column';
import { download } from './download';

/** Copies rows as tab-separated text. */
export const copyRows = <Row>(rows: Row[], columns: Column<Row>[]): Promise<void> =>
  copy(delimited(rows, columns, '\t'), `${counted(rows.length, 'row')} copied`);

/** Saves rows as a CSV file. */
export const exportRows = <Row>(rows: Row[], columns: Column<Row>[], file: string): void =>
  download(`${file}.csv`, delimited(rows, columns, ','), 'text/csv');
