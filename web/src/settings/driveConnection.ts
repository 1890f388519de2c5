import { client } from '~/api/client';

const stored = 'driveConnection';

/** Opens the page of the drive on which the user permits the access. It redirects to /drive. */
export async function permitDrive(organization: string): Promise<void> {
  const params = { path: { organization } };
  const { data } = await client.GET('/organization/{organization}/cloud-drive/auth-url', { params });
  sessionStorage.setItem(stored, organization);
  location.assign((data as { url: string }).url);
}

/** Returns the company whose connection this tab began last. */
export const companyOfConnection = (): string | undefined => sessionStorage.getItem(stored) ?? undefined;
