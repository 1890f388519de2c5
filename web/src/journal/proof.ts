import { byteOf } from '~/decimal/count';
import { coveredData, hasPrivateFields } from './commitments';

/** ProofResult is the outcome: the number of checked rows and the last hash, or the first fault. */
export type ProofResult = {
  rows: number;
  /** The number of rows without private fields whose content no hash covers. */
  unproven: number;
  hash: string;
  expected: number;
  /** The sequence of each checked row by its hash. */
  sequences: Map<string, number>;
  fault?: string;
};

type Header = { format: string; version: number; organization: string; rows: number; hash: string };
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
const versions = [1, 2];
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

const momentForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{0,5}[1-9]))?Z$/;

/** Returns the microseconds since 1970 of a moment with up to six decimals; undefined for any other text. */
function micros(moment: string): bigint | undefined {
  const [, whole = '', fraction = ''] = momentForm.exec(moment) ?? [];
  const milliseconds = Date.parse(`${whole}Z`);
  // Date.parse accepts days beyond the end of a month.
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, whole.length) !== whole)
    return undefined;
  return BigInt(milliseconds) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

/** Returns a text in JSON, with the characters that the server escapes. */
const written = (text: string) =>
  JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Reads a row and its data, byte for byte as it was hashed. Returns undefined for lines in any other than the unique form. */
function rowOf(line: string): { row: Row; data: string; at: bigint } | undefined {
  try {
    const row: Row = JSON.parse(line);
    const texts = [row.recordedAt, row.by, row.type, row.idempotencyKey ?? '', row.fingerprint ?? ''];
    const at = micros(row.recordedAt);
    if (at === undefined || texts.some((text) => typeof text !== 'string') || !/^[0-9a-f]{64}$/.test(row.hash))
      return undefined;
    const optional = (name: 'idempotencyKey' | 'fingerprint') => (row[name] ? `"${name}":${written(row[name])},` : '');
    const start = [
      `{"sequence":${row.sequence},"recordedAt":${written(row.recordedAt)},"by":${written(row.by)},"type":${written(row.type)},`,
      optional('idempotencyKey') + optional('fingerprint') + (row.unproven ? '"unproven":true,' : ''),
      `"previousHash":${written(row.previousHash)},"hash":${written(row.hash)},"data":`,
    ].join('');
    const data = line.slice(start.length, -1);
    JSON.parse(data);
    return line.startsWith(start) && line.endsWith('}') ? { row, data, at } : undefined;
  } catch {
    return undefined;
  }
}

async function hashOf(organization: Uint8Array, row: Row, at: bigint, data: string): Promise<string> {
  const parts = [
    unhex(row.previousHash),
    organization,
    uint64(BigInt(row.sequence)),
    uint64(at),
    ...[row.by, row.type, row.idempotencyKey ?? '', row.fingerprint ?? '', data].map(prefixed),
  ];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
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

type Read = NonNullable<ReturnType<typeof rowOf>>;

/** Checks a row against the one before it. Returns the fault, if there is one. */
async function faultOf({ row, data, at }: Read, organization: Uint8Array, before: ProofResult, last: bigint) {
  if (row.sequence !== before.rows + 1) return 'an entry is missing.';
  if (row.previousHash !== before.hash) return 'it does not follow the entry before it.';
  if (at < last) return 'it was recorded earlier than the entry before it.';
  if (row.unproven)
    return hasPrivateFields(row.type) ? undefined : 'its kind has no private fields that could be missing.';
  const covered = await coveredData(row.type, data);
  const same = covered !== undefined && (await hashOf(organization, row, at, covered)) === row.hash;
  return same ? undefined : 'its content was changed.';
}

/**
 * Checks all lines of a proof as they arrive: their order, their chain and their hashes. Reports the number of checked rows
 * and of all rows.
 */
export async function checkProof(
  lines: AsyncIterable<string> | Iterable<string>,
  progress: (rows: number, expected: number) => void = () => undefined,
): Promise<ProofResult> {
  const result: ProofResult = { rows: 0, unproven: 0, hash: none, expected: 0, sequences: new Map() };
  let header: Header | undefined;
  let organization = new Uint8Array();
  let last = 0n;
  for await (const line of lines) {
    if (!header) {
      header = headerOf(line);
      if (!header) break;
      organization = unhex(header.organization);
      result.expected = header.rows;
      continue;
    }
    const read = rowOf(line);
    if (!read) return { ...result, fault: `Line ${result.rows + 2} is no entry of a journal.` };
    const { row } = read;
    const fault = await faultOf(read, organization, result, last);
    if (fault) return { ...result, fault: `Entry ${row.sequence}: ${fault}` };
    last = read.at;
    result.rows = row.sequence;
    if (row.unproven) result.unproven++;
    result.hash = row.hash;
    result.sequences.set(row.hash, row.sequence);
    if (row.sequence % piece === 0) progress(row.sequence, header.rows);
  }
  return {
    ...result,
    fault: header ? endFault(header, result) : 'The file is no proof of a journal, or its version is unknown.',
  };
}

function headerOf(line: string): Header | undefined {
  try {
    const header: Header = JSON.parse(line);
    return header.format === 'equity-journal-proof' && versions.includes(header.version) ? header : undefined;
  } catch {
    return undefined;
  }
}

function endFault(header: Header, result: ProofResult): string | undefined {
  if (result.rows < header.rows) return `${header.rows - result.rows} entries are missing at the end.`;
  if (result.rows > header.rows) return 'There are more entries than the header states.';
  return result.hash === header.hash ? undefined : 'The last hash differs from that of the header.';
}
