import { useList } from '~/api/list';
import { useCompany } from '~/shell/company';

/** Returns a function that finds the name of a class, and the list of classes. */
export function useClasses() {
  const { id: organization } = useCompany();
  const classes = useList('/organization/{organization}/security', { path: { organization } });
  const names = new Map(classes.rows.map((one) => [one.id, one.name]));
  return { classes: classes.rows, nameOf: (id: string | undefined) => names.get(id ?? '') ?? '' };
}

/** Returns a function that finds the name of a holder by its entity. Users who may not see members find none. */
export function useHolders() {
  const company = useCompany();
  const members = useList(
    '/organization/{organization}/member',
    { path: { organization: company.id } },
    company.can('viewMembers'),
  );
  const names = new Map(members.rows.map((one) => [one.entity, one.fullName]));
  return { members: members.rows, nameOf: (entity: string | undefined) => names.get(entity ?? '') ?? '' };
}

/** Returns a function that finds the name of a plan, and the plans. */
export function usePlans() {
  const { id: organization } = useCompany();
  const plans = useList('/organization/{organization}/plan', { path: { organization } });
  const names = new Map(plans.rows.map((one) => [one.id, one.name]));
  return { plans, nameOf: (id: string | undefined) => names.get(id ?? '') ?? '' };
}
