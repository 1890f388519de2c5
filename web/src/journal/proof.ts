import { byteOf } from '~/decimal/count';
import { coveredData } from './commitments';

/** ProofResult is the outcome: the number of checked rows and the last hash, or the first fault. */
export type ProofResult = {
  rows: number;
  hash: string;
  expected: number;
  /** The sequence of each checked row by its hash. */
  sequences: Map<string, number>;
  fault?: string;
};

type Header = { format: string; organization: string; rows: number; hash: string };
type Row = {
  sequence: number;
  recordedAt: string;
  by: string;
  type: string;
  idempotencyKey?: string;
  fingerprint?: string;
  unproven?: boolean;
  previousHash: string;
  hash: string;
};

const encoder = new TextEncoder();
const none = '0'.repeat(64);
const piece = 100; // rows between two reports of the progress

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function unhex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replaceAll('-', '');
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) => byteOf(digits.slice(index * 2, index * 2 + 2)));
}

function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

function prefixed(text: string): Uint8Array {
  const content = encoder.encode(text);
  const bytes = new Uint8Array(4 + content.length);
  new DataView(bytes.buffer).setUint32(0, content.length);
  bytes.set(content, 4);
  return bytes;
}

/** Returns the microseconds since 1970 of a moment with up to six decimals. */
function micros(moment: string): bigint {
  const [whole = '', fraction = ''] = moment.replace('Z', '').split('.');
  return BigInt(Date.parse(`${whole}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** Returns the data of a line as it was hashed. It is the last field and is kept byte for byte. */
const dataOf = (line: string) => line.slice(line.indexOf('"data":') + '"data":'.length, -1);

async function hashOf(organization: Uint8Array, row: Row, data: string): Promise<string> {
  const parts = [
    unhex(row.previousHash),
    organization,
    uint64(BigInt(row.sequence)),
    uint64(micros(row.recordedAt)),
    ...[row.by, row.type, row.idempotencyKey ?? '', row.fingerprint ?? '', data].map(prefixed),
  ];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** Reads the lines of a stream. Chunks may end anywhere, also within a character. */
export async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (waiting + (value ?? '')).split('\n');
    waiting = done ? '' : (lines.pop() ?? '');
    for (const line of lines) if (line) yield line;
    if (done) return;
  }
}

/** Checks a row against the one before it. Returns the fault, if there is one. */
async function faultOf(row: Row, line: string, organization: Uint8Array, before: ProofResult) {
  if (row.sequence !== before.rows + 1) return 'an entry is missing.';
  if (row.previousHash !== before.hash) return 'it does not follow the entry before it.';
  if (row.unproven) return undefined;
  const data = await coveredData(row.type, dataOf(line));
  return (await hashOf(organization, row, data)) === row.hash ? undefined : 'its content was changed.';
}

/**
 * Checks all lines of a proof as they arrive: their order, their chain and their hashes. Reports the number of checked rows
 * and of all rows.
 */
export async function checkProof(
  lines: AsyncIterable<string> | Iterable<string>,
  progress: (rows: number, expected: number) => void = () => undefined,
): Promise<ProofResult> {
  const result: ProofResult = { rows: 0, hash: none, expected: 0, sequences: new Map() };
  let header: Header | undefined;
  let organization = new Uint8Array();
  for await (const line of lines) {
    if (!header) {
      header = headerOf(line);
      if (!header) break;
      organization = unhex(header.organization);
      result.expected = header.rows;
      continue;
    }
    const row: Row = JSON.parse(line);
    const fault = await faultOf(row, line, organization, result);
    if (fault) return { ...result, fault: `Entry ${row.sequence}: ${fault}` };
    result.rows = row.sequence;
    result.hash = row.hash;
    result.sequences.set(row.hash, row.sequence);
    if (row.sequence % piece === 0) progress(row.sequence, header.rows);
  }
  return { ...result, fault: header ? endFault(header, result) : 'The file is no proof of a journal.' };
}

function headerOf(line: string): Header | undefined {
  try {
    const header: Header = JSON.parse(line);
    return header.format === 'equity-journal-proof' ? header : undefined;
  } catch {
    return undefined;
  }
}

function endFault(header: Header, result: ProofResult): string | undefined {
  if (result.rows !== header.rows) return `${header.rows - result.rows} entries are missing at the end.`;
  return result.hash === header.hash ? undefined : 'The last hash differs from that of the header.';
}
