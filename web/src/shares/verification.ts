import { byteOf } from '~/decimal/count';

const digestBytes = 8;

type Printed = {
  id: string;
  certificate: string;
  shareholderName: string;
  security: string;
  shares: string;
  issueDate: string;
};

/**
 * Returns the code by which anybody can verify the certificate of a shareholding: its id, and the beginning of the digest
 * of the printed facts. The certificate has the same code.
 */
export async function certificateCode(printed: Printed): Promise<string> {
  const { id, certificate, shareholderName, security, shares, issueDate } = printed;
  const facts = [certificate, shareholderName, security, shares, issueDate].join('\u0000');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(facts));
  const pairs = id.replaceAll('-', '').match(/../g) ?? [];
  const bytes = [...pairs.map(byteOf), ...new Uint8Array(digest).slice(0, digestBytes)];
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
