import { Link } from '@tanstack/react-router';
import { Refusal } from '~/account/Refusal';
import { api, client } from '~/api/client';
import { moment } from '~/format/dates';
import { Button } from '~/ui/Button';
import { Chip } from '~/ui/Chip';
import { Loaded } from '~/ui/Loaded';
import { Part } from '~/ui/Part';
import { Table } from '~/ui/Table';
import { agentName } from './agent';
import { useAction } from './useAction';

/** The sessions of the user, which can be ended. */
export function SessionsTab() {
  const sessions = api.useQuery('get', '/user/session', {});
  const end = useAction(
    (session: string) => client.DELETE('/user/session/{session}', { params: { path: { session } } }),
    'Session ended',
  );
  const endOthers = useAction(() => client.DELETE('/user/session', {}), 'All other sessions ended');
  return (
    <Part
      wide
      title="Signed-in browsers"
      help="End a session that you do not know, and change the password."
      actions={
        <>
          <Button onClick={() => endOthers.mutate(undefined)}>End all other sessions</Button>
          <Link to="/password" className="btn btn-outline">
            Change the password
          </Link>
        </>
      }
    >
      <Refusal problem={end.problem ?? endOthers.problem} />
      <Loaded what="The sessions" query={sessions}>
        {({ data }) => (
          <Table
            label="Sessions"
            rows={data}
            rowKey={(row) => row.id}
            columns={[
              {
                header: 'Browser',
                cell: (row) => (
                  <span className="block max-w-72 truncate" title={row.agent}>
                    {row.agent ? agentName(row.agent) : 'Unknown'}
                  </span>
                ),
              },
              { header: 'Address', cell: (row) => <span className="num">{row.address ?? '–'}</span> },
              { header: 'Last seen', cell: (row) => <span className="num">{moment(row.seenAt)}</span> },
              {
                header: 'Session',
                cell: (row) =>
                  row.current ? (
                    <Chip tone="good">This one</Chip>
                  ) : (
                    <Button onClick={() => end.mutate(row.id)}>End</Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Part>
  );
}
