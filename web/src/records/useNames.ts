import { useMemo } from 'react';
import { useCapTable } from '~/api/captable';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { useDay } from '~/day/day';
import { useCompany } from '~/shell/company';

/** Returns a function that finds the name of a class, and the list of classes. */
export function useClasses() {
  const { id: organization } = useCompany();
  const classes = useList('/organization/{organization}/security', { path: { organization } });
  const names = new Map(classes.rows.map((one) => [one.id, one.name]));
  return {
    classes: classes.rows,
    loading: classes.loading,
    nameOf: (id: string | undefined) => names.get(id ?? '') ?? '',
  };
}

/**
 * Returns the names of holders by their entities, a function that finds one, and the members. Users who may view the cap table but not the members
 * find the names of its holders, others find none.
 */
export function useHolders() {
  const company = useCompany();
  const { query } = useDay();
  const sees = company.can('viewMembers');
  const members = useList('/organization/{organization}/member', { path: { organization: company.id } }, sees);
  const table = useCapTable(company.id, query, !sees && company.can('viewCapTable'));
  const names = useMemo(
    () =>
      new Map([
        ...(table.data?.holders ?? []).map((one) => [one.entity, one.name] as const),
        ...(table.data?.convertibles ?? []).map((one) => [one.entity, one.name] as const),
        ...members.rows.map((one) => [one.entity, one.fullName] as const),
      ]),
    [table.data, members.rows],
  );
  return {
    members: members.rows,
    names,
    loading: members.loading || table.isLoading,
    nameOf: (entity: string | undefined) => names.get(entity ?? '') ?? '',
  };
}

/**
 * Returns the member with the holdings of an entity, with its name and address. Users without access to the members find only themselves.
 * The name of an account is not that of a holder.
 */
export function useHolder(entity: string | undefined): Schema<'Member'> | undefined {
  const company = useCompany();
  const sees = company.can('viewMembers') || company.can('viewSelf');
  const members = useList('/organization/{organization}/member', { path: { organization: company.id } }, sees);
  return members.rows.find((member) => member.entity === entity);
}

/** Returns a function that finds the name of a plan, and the plans. */
export function usePlans() {
  const { id: organization } = useCompany();
  const plans = useList('/organization/{organization}/plan', { path: { organization } });
  const names = new Map(plans.rows.map((one) => [one.id, one.name]));
  return { plans, nameOf: (id: string | undefined) => names.get(id ?? '') ?? '' };
}
