import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkProof, linesOf } from './proof';

/** The beginning of a journal, as the server writes it. */
const proof = fs.readFileSync('src/journal/testdata/proof.jsonl', 'utf8');

const lines = proof.trimEnd().split('\n');

describe('the proof of a journal', () => {
  it.each([1, 7, 4096])('is checked from a stream in chunks of %i bytes', async (size) => {
    const bytes = new TextEncoder().encode(proof);
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const result = await checkProof(linesOf(body));
    expect(result.fault).toBeUndefined();
    expect(result.rows).toBe(2);
    expect(result.sequences.get(result.hash)).toBe(2);
  });
  it('finds changed, missing and exchanged entries', async () => {
    const changed = lines.map((line) => line.replace('Ada Lindqvist', 'Ada Lindqvisd'));
    expect((await checkProof(changed)).fault).toBe('Entry 2: its content was changed.');
    expect((await checkProof(lines.slice(0, 2))).fault).toBe('1 entries are missing at the end.');
    expect((await checkProof([lines[0] ?? '', lines[2] ?? ''])).fault).toBe('Entry 2: an entry is missing.');
  });
  it('refuses other files', async () => {
    expect((await checkProof(['{"format":"other"}'])).fault).toBe('The file is no proof of a journal.');
    expect((await checkProof(['no JSON'])).fault).toBe('The file is no proof of a journal.');
  });
});
