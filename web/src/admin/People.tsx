import { useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { api, client } from '~/api/client';
import { day } from '~/format/dates';
import { useAction } from '~/settings/useAction';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Loaded } from '~/ui/Loaded';
import { Table } from '~/ui/Table';

/** The search of accounts, which can be disabled and enabled. */
export function People() {
  const [text, setText] = useState('');
  const users = api.useQuery(
    'get',
    '/admin/user',
    { params: { query: { search: text } } },
    { enabled: text.length > 1 },
  );
  const disable = useAction(
    (user: string) => client.POST('/admin/user/{user}/disable', { params: { path: { user } } }),
    'Account disabled',
  );
  const enable = useAction(
    (user: string) => client.POST('/admin/user/{user}/enable', { params: { path: { user } } }),
    'Account enabled',
  );
  return (
    <div className="flex flex-col gap-4">
      <Field label="Name or e-mail" help="At least two letters.">
        {(parts) => <Input {...parts} type="search" value={text} onChange={(event) => setText(event.target.value)} />}
      </Field>
      <Refusal problem={disable.problem ?? enable.problem} />
      {text.length > 1 && (
        <Loaded what="The people" query={users}>
          {({ data }) => (
            <Table
              label="People"
              empty="No account has this name or address."
              rows={data}
              rowKey={(row) => row.id}
              columns={[
                { header: 'Name', cell: (row) => `${row.firstName} ${row.lastName}` },
                { header: 'E-mail', cell: (row) => row.email },
                { header: 'Since', cell: (row) => <span className="num">{day(row.createdAt)}</span> },
                {
                  header: 'Account',
                  cell: (row) =>
                    row.disabledAt ? (
                      <Button onClick={() => enable.mutate(row.id)}>Enable</Button>
                    ) : (
                      <ConfirmButton
                        danger
                        label="Disable"
                        consequence={`${row.email} is signed out everywhere and cannot sign in until the account is enabled again.`}
                        onConfirm={() => disable.mutate(row.id)}
                      />
                    ),
                },
              ]}
            />
          )}
        </Loaded>
      )}
    </div>
  );
}
