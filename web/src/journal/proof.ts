import { byteOf } from '~/decimal/count';
import { coveredData } from './commitments';

/** ProofResult is the outcome: the number of checked rows and the last hash, or the first fault. */
export type ProofResult = { rows: number; hash: string; expected: number; fault?: string };

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
const piece = 500; // rows between two reports of the progress

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function unhex(text: string): Uint8Array {
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

/** Checks all lines of a proof: their order, their chain and their hashes. Reports the number of checked rows. */
export async function checkProof(
  text: string,
  progress: (rows: number) => void = () => undefined,
): Promise<ProofResult> {
  const [first = '', ...lines] = text.split('\n').filter(Boolean);
  const header: Header = JSON.parse(first);
  const result = { rows: 0, hash: none, expected: header.rows };
  if (header.format !== 'equity-journal-proof') return { ...result, fault: 'The file is no proof of a journal.' };
  const organization = unhex(header.organization);
  for (const line of lines) {
    const row: Row = JSON.parse(line);
    const fault = (reason: string) => ({ ...result, fault: `Entry ${row.sequence}: ${reason}` });
    if (row.sequence !== result.rows + 1) return fault('an entry is missing.');
    if (row.previousHash !== result.hash) return fault('it does not follow the entry before it.');
    if (!row.unproven && (await hashOf(organization, row, await coveredData(row.type, dataOf(line)))) !== row.hash)
      return fault('its content was changed.');
    result.rows = row.sequence;
    result.hash = row.hash;
    if (row.sequence % piece === 0) progress(row.sequence);
  }
  if (result.rows !== header.rows)
    return { ...result, fault: `${header.rows - result.rows} entries are missing at the end.` };
  if (result.hash !== header.hash) return { ...result, fault: 'The last hash differs from that of the header.' };
  return result;
}
