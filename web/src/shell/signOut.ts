import { client } from '~/api/client';

/** Ends the session and shows the sign-in page without any data of the session. */
export async function signOut(): Promise<void> {
  await client.POST('/user/logout').catch(() => undefined);
  location.assign('/login');
}
