import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
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

/** The company of a part of the page, such as the assistant, that has one on pages outside companies too. */
export const ChosenCompany = createContext<string | undefined>(undefined);

/** Returns the company of the page or of the part of the page. Only parts and pages below a company have one. */
export function useCompany(): Company {
  const { organization: ofPage = '' } = useParams({ strict: false });
  const organization = useContext(ChosenCompany) ?? ofPage;
  return withRights(useSuspenseQuery(organizationQuery(organization)).data);
}

/** Returns the company of the page; undefined on pages outside companies. */
export function useMaybeCompany(): Company | undefined {
  const { organization } = useParams({ strict: false });
  const { data } = useQuery({ ...organizationQuery(organization ?? ''), enabled: organization !== undefined });
  return data && organization ? withRights(data) : undefined;
}
