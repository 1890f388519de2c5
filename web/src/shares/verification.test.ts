import { expect, it } from 'vitest';
import { certificateCode } from './verification';

it('has the id of the shareholding and the digest of the printed facts', async () => {
  const code = await certificateCode({
    id: '01926f4a-7b3c-7f10-8d21-6a5e4c3b2a19',
    certificate: 'CS-12',
    shareholderName: 'Ada Lovelace',
    security: '01926f40-11d2-7a0b-8c6e-90b4d1f2a377',
    shares: '10000',
    issueDate: '2024-03-15',
  });
  const bytes = Buffer.from(code, 'base64url');
  expect(bytes.subarray(0, 16).toString('hex')).toBe('01926f4a7b3c7f108d216a5e4c3b2a19');
  expect(bytes).toHaveLength(24);
});
