import { useQueries } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';

export type Task = Schema<'Dashboard'>['waiting'][number];
export type Company = Schema<'UserOrganization'>;
export type CompanyTask = { task: Task; company: Company };

const most = 12; // companies whose tasks are read

/** Reads the tasks of the user in all companies in which the user has a role, oldest first. */
export function useWaiting(companies: Company[]) {
  const read = companies.filter((company) => company.roles.length > 0).slice(0, most);
  return useQueries({
    queries: read.map(({ id }) => ({
      queryKey: ['get', '/captable/{organization}/dashboard', id],
      queryFn: async () => {
        const params = { path: { organization: id } };
        return (await client.GET('/captable/{organization}/dashboard', { params })).data as Schema<'Dashboard'>;
      },
    })),
    combine: (answers) => {
      const failed = answers.filter((answer) => answer.isError);
      const tasks = answers.flatMap((answer, index): CompanyTask[] =>
        (answer.data?.waiting ?? []).map((task) => ({ task, company: read[index] as Company })),
      );
      const total = answers.reduce((sum, answer) => sum + (answer.data?.counts.waiting ?? 0), 0);
      return {
        tasks: tasks.sort((a, b) => a.task.since.localeCompare(b.task.since)),
        /** The number of tasks that are not listed. */
        more: total - tasks.length,
        isPending: answers.some((answer) => answer.isPending),
        error: failed[0]?.error,
        /** The companies whose tasks could not be read. */
        failed: read.filter((_, index) => answers[index]?.isError),
        retry: () => {
          for (const answer of failed) answer.refetch();
        },
      };
    },
  });
}
