import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '~/api/client';
import { forgetRefused, type RefusedImport, refusedImports } from '~/imports/refused';
import { organizationQuery, withRights } from '~/shell/company';
import { imports } from '~/shell/pages';

export type CompanyImport = RefusedImport & { company: string };

/** Returns the refused imports of the user in companies where the user may still import. */
export function useRefused({ id, organizations = [] }: Schema<'User'>) {
  const [stored, setStored] = useState(() => refusedImports(id));
  const own = stored.filter((one) => organizations.some((company) => company.id === one.organization));
  const companies = useQueries({ queries: own.map((one) => organizationQuery(one.organization)) });
  return {
    imports: own.flatMap((one, at): CompanyImport[] => {
      const company = companies[at]?.data;
      return company && imports(withRights(company)) ? [{ ...one, company: company.name }] : [];
    }),
    dismiss: (organization: string) => {
      forgetRefused(id, organization);
      setStored(refusedImports(id));
    },
  };
}
