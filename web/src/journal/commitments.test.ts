import { describe, expect, it } from 'vitest';
import { coveredData, fieldsOf } from './commitments';

describe('data that a hash covers', () => {
  it('keeps each value as it is written', () => {
    expect([...fieldsOf('{"a":{"x":"},\\""},"b":[1,2],"c":1.50}')]).toEqual([
      ['a', '{"x":"},\\""}'],
      ['b', '[1,2]'],
      ['c', '1.50'],
    ]);
  });
  it('is the data of an event without private fields', async () => {
    expect(await coveredData('shareholdingIssued', '{"salt":"x"}')).toBe('{"salt":"x"}');
  });
  it('replaces private fields and the salt', async () => {
    const covered = await coveredData('memberAdded', '{"member":{"id":"1","title":"CTO"},"salt":"00"}');
    expect(covered).toMatch(/^\{"member":\{"id":"1","title":\{"sha256":"[0-9a-f]{64}"\}\}\}$/);
  });
  it('replaces the fields of the version of the salt', async () => {
    expect(await coveredData('documentDeleted', '{"id":"1","salt":"00"}')).toBe('{"id":"1"}');
    const covered = await coveredData('documentDeleted', '{"id":"1","salt":"v2:00"}');
    expect(covered).toMatch(/^\{"id":\{"sha256":"[0-9a-f]{64}"\}\}$/);
  });
});
