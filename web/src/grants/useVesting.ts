import { useQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';
import { type Step, vestingSteps } from './curve';

/** Returns the vesting of a grant by date: from the terms of its grant date, or the vestings that it lists itself. */
export function useVesting(row: Schema<'Option'>): Step[] | undefined {
  const terms = row.terms as Schema<'VestingSchemeTerms'>['terms'] & { allocation?: string };
  const scheduled = row.terms !== undefined && !row.vestings?.length;
  const projection = useQuery({
    queryKey: ['post', '/schedule/project', row.id, row.version, row.quantity, row.happenings ?? []],
    queryFn: async ({ signal }) => {
      const body = {
        quantity: row.quantity,
        grantDate: row.issueDate,
        vestingStart: row.vestingStart,
        schedule: { allocation: terms?.allocation, terms: { conditions: terms?.conditions } },
        happenings: row.happenings,
      } as Schema<'ProjectVesting'>;
      return ((await client.POST('/schedule/project', { body, signal })).data as Schema<'Projection'>).installments;
    },
    enabled: scheduled && row.quantity !== '0',
    retry: false,
  });
  const installments = scheduled ? projection.data : row.vestings;
  return installments && vestingSteps(row, installments);
}
