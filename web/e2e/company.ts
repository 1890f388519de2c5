import { type APIRequestContext, expect } from '@playwright/test';
import type { Server } from './equity';

/** Creates a company with many holders through the import of spreadsheets: holder I has 100 + I shares. Returns its id. */
export async function largeCompany(request: APIRequestContext, server: Server, holders: number): Promise<string> {
  const made = await request.post(`${server.url}/v1/organization`, {
    data: { name: 'Large Company', currency: 'USD' },
  });
  const { id } = await made.json();
  const url = `${server.url}/v1/organization/${id}`;
  await request.post(`${url}/security`, {
    data: { name: 'Common', shareType: 'common', authorizedShares: '1000000000' },
  });
  const name = (index: number) => `Holder ${index.toString().padStart(5, '0')}`;
  const all = Array.from({ length: holders }, (_, index) => index);
  const rows = {
    members: ['fullName', ...all.map(name)],
    shareholdings: [
      'holder,security,shares,issueDate',
      ...all.map((index) => `${name(index)},Common,${100 + index},2024-01-15`),
    ],
  };
  for (const [kind, lines] of Object.entries(rows)) {
    const answer = await request.post(`${url}/import?kind=${kind}`, {
      headers: { 'Content-Type': 'text/csv' },
      data: `${lines.join('\r\n')}\r\n`,
      timeout: 120_000,
    });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  return id;
}
