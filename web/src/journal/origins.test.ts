import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { besideAuthor, isOrigin, originName, origins } from './origins';

describe('the origin of an entry', () => {
  it('has words for each value of the contract', () => {
    const contract = fs.readFileSync('../http/contract/journal.yaml', 'utf8');
    const values = /JournalOrigin:\s+type: string\s+enum: \[([^\]]*)\]/.exec(contract)?.[1]?.split(', ');
    expect(origins.map((one) => one.value)).toEqual(values);
  });
  it('stands beside the author unless the author made the request', () => {
    expect(besideAuthor('assistant', true)).toBe('by the assistant');
    expect(besideAuthor('import', false)).toBe('imported');
    expect(besideAuthor('request', true)).toBe('');
    expect(besideAuthor('request', false)).toBe('');
  });
  it('is not invented for earlier entries', () => {
    expect(originName(undefined)).toBe('Not recorded');
    expect(besideAuthor(undefined, true)).toBe('');
    expect(besideAuthor(undefined, false)).toBe('server');
  });
  it('is one of the known values', () => {
    expect([isOrigin('import'), isOrigin('toString'), isOrigin(undefined)]).toEqual([true, false, false]);
  });
});
