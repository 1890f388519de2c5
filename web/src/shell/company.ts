import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { client, type Schema } from '~/api/client';

export type Permission = NonNullable<Schema<'Organization'>['permissions']>[number];
export type Feature = keyof NonNullable<Schema<'Organization'>['features']> & string;

/** Company is an organization as its current user may see and change it. */
export type Company = Schema<'Organization'> & {
  can: (permission: Permission) => boolean;
  has: (feature: Feature) => boolean;
};

export const organizationQuery = (organization: string) =>
  queryOptions({
    queryKey: ['get', '/organization/{organization}', { params: { path: { organization } } }],
    queryFn: async (): Promise<Schema<'Organization'>> => {
      const { data } = await client.GET('/organization/{organization}', { params: { path: { organization } } });
      return data as Schema<'Organization'>;
    },
  });

export const withRights = (organization: Schema<'Organization'>): Company => ({
  ...organization,
  can: (permission) => organization.permissions?.includes(permission) ?? false,
  has: (feature) => organization.features?.[feature] === true,
});

/** Returns the company of the page. Only pages below a company have one. */
export function useCompany(): Company {
  const { organization = '' } = useParams({ strict: false });
  return withRights(useSuspenseQuery(organizationQuery(organization)).data);
}

/** Returns the company of the page; undefined on pages outside companies. */
export function useMaybeCompany(): Company | undefined {
  const { organization } = useParams({ strict: false });
  const { data } = useQuery({ ...organizationQuery(organization ?? ''), enabled: organization !== undefined });
  return data && organization ? withRights(data) : undefined;
}
