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
  it('finds forged entries', async () => {
    const [header = '', first = '', second = ''] = lines;
    const faultOf = async (...forged: string[]) => (await checkProof(forged)).fault;
    const unproven = (line: string) => line.replace('"previousHash"', '"unproven":true,"previousHash"');
    // The content of an entry is only left out of its hash if its kind has private fields.
    expect(await faultOf(header, unproven(first).replace('organizationCreated', 'securityCreated'), second)).toBe(
      'Entry 1: its kind has no private fields that could be missing.',
    );
    const marked = await checkProof([header, first, unproven(second)]);
    expect([marked.fault, marked.unproven]).toEqual([undefined, 1]);
    const earlier = second.replace('11:10:02.589426Z', '11:10:02.589425Z');
    expect(await faultOf(header, first, earlier)).toBe('Entry 2: it was recorded earlier than the entry before it.');
    const notUnique = [
      second.replace('"by":', '"by" :'),
      second.replace('11:10:02.589426Z', '11:10:02.5894260Z'),
      second.replace('{"sequence"', '{"note":"","sequence"'),
      second.replace('"data":', '"data":{},"data":'),
      second.slice(0, -1),
    ];
    for (const line of notUnique) expect(await faultOf(header, first, line), line.slice(0, 80)).toBeDefined();
    const twice = second.replace('"fullName":', '"title":"Chair","title":"Chair","fullName":');
    expect(await faultOf(header, first, twice)).toBe('Entry 2: its content was changed.');
    expect(await faultOf(header.replace('"rows":2', '"rows":1'), first, second)).toBe(
      'There are more entries than the header states.',
    );
  });
  it('refuses other files', async () => {
    expect((await checkProof(['{"format":"other"}'])).fault).toBe(
      'The file is no proof of a journal, or its version is unknown.',
    );
    const newer = (lines[0] ?? '').replace('"version":2', '"version":3');
    expect((await checkProof([newer])).fault).toBe('The file is no proof of a journal, or its version is unknown.');
    expect((await checkProof([lines[0] ?? '', 'no JSON'])).fault).toBe('Line 2 is no entry of a journal.');
    expect((await checkProof(['no JSON'])).fault).toBe('The file is no proof of a journal, or its version is unknown.');
  });
});
