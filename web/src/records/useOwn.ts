import { useList } from '~/api/list';
import { useCompany } from '~/shell/company';
import { useUser } from '~/shell/user';

/**
 * Returns a function that reports whether a grant or an instrument belongs to the user, and the name of the user. Users
 * who may not view the cap table get only their own records from the API.
 */
export function useOwn() {
  const company = useCompany();
  const user = useUser();
  const sees = company.can('viewCapTable');
  const holdings = useList('/holding', {}, sees && !company.can('editCapTable'));
  const own = new Set(holdings.rows.map((one) => one.id));
  return {
    isOwn: (record: { id?: string; entity?: string }) =>
      !sees || record.entity === user.entity || own.has(record.id ?? ''),
    name: `${user.firstName ?? ''} ${user.lastName ?? ''}`.trim(),
  };
}
