/** Sheet is a spreadsheet as text: its header, and the cells of each row by the line on which the row begins, from 1. */
export type Sheet = { header: string[]; rows: Map<number, string[]> };

/** Returns the separator that the header uses most. */
function separatorOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const count = (mark: string) => header.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** Reads comma-separated text, also with semicolons or tabs, quotes, and line ends within quotes. */
export function readCsv(content: string): Sheet {
  const text = content.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const rows = new Map<number, string[]>();
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let begin = 1;
  const endRow = () => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== '')) rows.set(begin, cells);
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (letter === '\n') line++;
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (letter === '"' && cell === '') quoted = true;
    else if (letter === separator) {
      cells.push(cell);
      cell = '';
    } else if (letter === '\n') {
      endRow();
      begin = line;
    } else if (letter !== '\r') cell += letter;
  }
  if (cell !== '' || cells.length > 0) endRow();
  const [first] = rows;
  if (first) rows.delete(first[0]);
  return { header: (first?.[1] ?? []).map((name) => name.trim()), rows };
}
