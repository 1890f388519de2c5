import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { api, client, type Schema } from '~/api/client';
import { moment } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Loaded } from '~/ui/Loaded';
import { Table } from '~/ui/Table';
import { Unsaved } from '~/ui/Unsaved';
import { Secret } from './Secret';
import { useAction } from './useAction';

/** The tokens of inbound hooks. */
export function HooksTab() {
  const { id: organization } = useCompany();
  const path = { organization };
  const tokens = api.useQuery('get', '/organization/{organization}/hook-token', { params: { path } });
  const [name, setName] = useState('');
  const create = useAction(
    async () =>
      (await client.POST('/organization/{organization}/hook-token', { params: { path }, body: { name } }))
        .data as Schema<'HookTokenWithSecret'>,
    'Token created',
  );
  const revoke = useAction(
    (hookToken: string) =>
      client.DELETE('/organization/{organization}/hook-token/{hookToken}', {
        params: { path: { organization, hookToken } },
      }),
    'Token revoked',
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined, { onSuccess: () => setName('') });
  };
  return (
    <div className="flex flex-col gap-4">
      {create.data && <Secret label="Token" value={create.data.token} />}
      <Refusal problem={revoke.problem} />
      <Loaded what="The tokens" query={tokens}>
        {({ data }) => (
          <Table
            label="Hook tokens"
            rows={data}
            rowKey={(row) => row.id}
            columns={[
              { header: 'Name', cell: (row) => row.name },
              { header: 'Created', cell: (row) => <span className="num">{moment(row.createdAt)}</span> },
              {
                header: 'End',
                cell: (row) => (
                  <ConfirmButton
                    label="Revoke"
                    consequence="Hooks with this token are refused at once."
                    onConfirm={() => revoke.mutate(row.id)}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <form onSubmit={submit} className="flex max-w-md flex-col gap-3">
        <Unsaved changed={() => name !== ''} />
        <TextField label="Name of a new token" name="name" problem={create.problem} value={name} onChange={setName} />
        <Refusal problem={create.problem} />
        <div>
          <Button type="submit" disabled={!name}>
            Create the token
          </Button>
        </div>
      </form>
    </div>
  );
}
