import type { Schema } from '~/api/client';
import { queryClient } from '~/api/client';
import type { Address } from '~/shell/address';

/** Returns the address to open after a sign-in: a forced password, an invitation, an authorization, or the requested page. */
export function placeAfter(user: Pick<Schema<'User'>, 'mustChangePassword'>, address: Address): string {
  if (user.mustChangePassword) return '/password';
  if (address.invitation) return `/invitation?token=${encodeURIComponent(address.invitation)}`;
  // The authorization page gets the query again, never a foreign address.
  if (address.authorize) return `/oauth/authorize?${new URLSearchParams(address.authorize)}`;
  return ownPath(address.next) ?? '/';
}

/** Returns the path of this app; undefined for an address of another site. */
export function ownPath(path: string | undefined): string | undefined {
  return path && /^\/(?![/\\])/.test(path) ? path : undefined;
}

/** Opens the page after a sign-in, without any data of an earlier session. */
export function enter(user: Schema<'User'>, address: Address): void {
  queryClient.clear();
  location.assign(placeAfter(user, address));
}
