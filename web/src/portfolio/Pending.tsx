import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client, type Schema } from '~/api/client';
import { day } from '~/format/dates';

type Task = Schema<'Dashboard'>['waiting'][number];
type Company = { id: string; name: string };

const places: Record<Task['kind'], { page: 'shares' | 'convertibles' | 'grants'; text: string }> = {
  acceptance: { page: 'shares', text: 'Acceptance of shares' },
  holdingAcceptance: { page: 'convertibles', text: 'Acceptance' },
  repurchase: { page: 'shares', text: 'Repurchase of unvested shares' },
};

const most = 12; // companies whose tasks are read

/** The items that wait for the user, over all companies. */
export function Pending({ companies }: { companies: Company[] }) {
  const answers = useQueries({
    queries: companies.slice(0, most).map(({ id }) => ({
      queryKey: ['get', '/captable/{organization}/dashboard', id],
      queryFn: async () => {
        const params = { path: { organization: id } };
        return (await client.GET('/captable/{organization}/dashboard', { params })).data as Schema<'Dashboard'>;
      },
    })),
  });
  const tasks = answers.flatMap((answer, index) =>
    (answer.data?.waiting ?? []).map((task) => ({ task, company: companies[index] as Company })),
  );
  if (answers.some((answer) => answer.isPending)) return <div className="skeleton h-20" />;
  if (tasks.length === 0) return <p className="text-ink-3">Nothing is waiting for you.</p>;
  return (
    <ul className="border-t border-line">
      {tasks.map(({ task, company }) => (
        <li key={task.id} className="border-b border-line">
          <Link
            to={`/company/$organization/${places[task.kind].page}`}
            params={{ organization: company.id }}
            search={{ open: task.id }}
            className="flex min-h-10 items-center gap-3 py-1 hover:bg-hover"
          >
            <span className="min-w-0 flex-1 truncate">
              <span className="font-medium">
                {places[task.kind].text}, {task.name}
              </span>{' '}
              <span className="text-ink-2">{task.holder}</span>
            </span>
            <span className="text-ink-3 max-[900px]:hidden">{company.name}</span>
            <span className="num text-ink-3">{day(task.since)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
