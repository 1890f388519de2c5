import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { api, client, type Schema } from '~/api/client';
import { WaitingSteps } from '~/assistant/WaitingSteps';
import { day } from '~/format/dates';
import { words } from '~/format/words';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Failure } from '~/ui/Notice';
import { Part } from '~/ui/Part';
import { Table } from '~/ui/Table';
import { Unsaved } from '~/ui/Unsaved';
import { ConnectProgram } from './ConnectProgram';
import { Secret } from './Secret';
import { useAction } from './useAction';

const scopes = ['read', 'write', 'destructive'] as const;

/** The API tokens of the user. */
export function TokensTab() {
  const tokens = api.useQuery('get', '/user/token', {});
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<(typeof scopes)[number][]>(['read']);
  const create = useAction(
    async () =>
      (await client.POST('/user/token', { body: { name, scopes: chosen as Schema<'TokenScopes'> } }))
        .data as Schema<'APITokenWithSecret'>,
    'Token created',
  );
  const revoke = useAction(
    (token: string) => client.DELETE('/user/token/{token}', { params: { path: { token } } }),
    'Token revoked',
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined, { onSuccess: () => setName('') });
  };
  if (tokens.isError) return <Failure what="The tokens" error={tokens.error} retry={tokens.refetch} />;
  return (
    <>
      <WaitingSteps tokens={tokens.data?.data ?? []} />
      <ConnectProgram />
      <Part wide title="API tokens" help="A token lets a program act as you, within its scopes.">
        {create.data && (
          <div className="mb-4">
            <Secret label="Token" value={create.data.token} />
          </div>
        )}
        <Table
          label="Tokens"
          empty="No tokens yet."
          rows={tokens.data?.data ?? []}
          rowKey={(row) => row.id}
          columns={[
            { header: 'Name', cell: (row) => row.name },
            { header: 'Scopes', cell: (row) => row.scopes.map(words).join(', ') },
            { header: 'Expires', cell: (row) => <span className="num">{day(row.expiresAt)}</span> },
            { header: 'Last used', cell: (row) => <span className="num">{day(row.lastUsedAt)}</span> },
            {
              header: 'End',
              cell: (row) => (
                <ConfirmButton
                  label="Revoke"
                  consequence="Programs with this token lose their access at once."
                  onConfirm={() => revoke.mutate(row.id)}
                />
              ),
            },
          ]}
        />
      </Part>
      <Part title="New token" help="Write changes records, destructive ends or voids them. The token is shown once.">
        <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
          <Unsaved changed={() => name !== ''} />
          <TextField label="Name of a new token" name="name" problem={create.problem} value={name} onChange={setName} />
          <fieldset className="flex gap-4">
            <legend className="mb-1 font-medium">Scopes</legend>
            {scopes.map((scope) => (
              <label key={scope} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 accent-(--accent)"
                  checked={chosen.includes(scope)}
                  onChange={() =>
                    setChosen(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope])
                  }
                />
                {words(scope)}
              </label>
            ))}
          </fieldset>
          <Refusal problem={create.problem} />
          <div>
            <Button type="submit" disabled={!name || chosen.length === 0}>
              Create the token
            </Button>
          </div>
        </form>
      </Part>
    </>
  );
}
