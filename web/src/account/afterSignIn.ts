import type { Schema } from '~/api/client';
import { queryClient } from '~/api/client';
import type { Address } from '~/shell/address';

/** Returns the address to open after a sign-in: a forced password, an invitation, an authorization, the requested page, or the only company. */
export function placeAfter(
  user: Pick<Schema<'User'>, 'mustChangePassword'> & Partial<Pick<Schema<'User'>, 'organizations'>>,
  address: Address,
  site = location.origin,
): string {
  if (user.mustChangePassword) return '/password';
  if (address.invitation) return `/invitation?token=${encodeURIComponent(address.invitation)}`;
  // The authorization page gets the query again, never a foreign address.
  if (address.authorize) return `/oauth/authorize?${new URLSearchParams(address.authorize)}`;
  const [only, ...others] = user.organizations ?? [];
  return ownPath(address.next, site) ?? (only && others.length === 0 ? `/company/${only.id}` : '/');
}

/** Returns the path of this site; undefined for an address that a browser would resolve to another site, or to none. */
export function ownPath(path: string | undefined, site = location.origin): string | undefined {
  if (!path || !URL.canParse(path, site)) return undefined;
  const url = new URL(path, site);
  // Addresses such as blob: have the origin of another one in them. A path that begins with two slashes would name a host.
  if (url.origin !== site || url.host !== new URL(site).host || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}

/** Opens the page after a sign-in, without any data of an earlier session. */
export function enter(user: Schema<'User'>, address: Address): void {
  queryClient.clear();
  location.assign(placeAfter(user, address));
}
