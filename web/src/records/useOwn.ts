import { useList } from '~/api/list';
import { useCompany } from '~/shell/company';
import { useUser } from '~/shell/user';
import { useHolder } from './useNames';

/**
 * Returns a function that reports whether a grant or an instrument belongs to the user, and the name of the user as a holder. Users
 * who may not view the cap table get only their own records from the API.
 */
export function useOwn() {
  const company = useCompany();
  const user = useUser();
  const holder = useHolder(user.entity);
  const sees = company.can('viewCapTable');
  const holdings = useList('/holding', {}, sees && !company.can('editCapTable'));
  const own = new Set(holdings.rows.map((one) => one.id));
  return {
    isOwn: (record: { id?: string; entity?: string }) =>
      !sees || record.entity === user.entity || own.has(record.id ?? ''),
    name: holder?.fullName ?? '',
  };
}
