import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { api, client } from '~/api/client';
import { day } from '~/format/dates';
import { useAction } from '~/settings/useAction';
import { Button } from '~/ui/Button';
import { Loaded } from '~/ui/Loaded';
import { Table } from '~/ui/Table';

/** The addresses and domains that may not register. */
export function Blocklist() {
  const blocked = api.useQuery('get', '/admin/blocklist', {});
  const [entry, setEntry] = useState('');
  const add = useAction(
    (value: string) => client.PUT('/admin/blocklist/{entry}', { params: { path: { entry: value } } }),
    'Blocked',
  );
  const remove = useAction(
    (value: string) => client.DELETE('/admin/blocklist/{entry}', { params: { path: { entry: value } } }),
    'Unblocked',
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(entry, { onSuccess: () => setEntry('') });
  };
  return (
    <div className="flex flex-col gap-4">
      <form onSubmit={submit} className="flex items-end gap-2">
        <TextField label="Address or domain" name="entry" problem={add.problem} value={entry} onChange={setEntry} />
        <Button type="submit" disabled={!entry}>
          Block
        </Button>
      </form>
      <Refusal problem={add.problem ?? remove.problem} />
      <Loaded what="The blocked entries" query={blocked}>
        {({ data }) => (
          <Table
            label="Blocked"
            empty="No address or domain is blocked."
            rows={data}
            rowKey={(row) => row.entry}
            columns={[
              { header: 'Entry', cell: (row) => row.entry },
              { header: 'Since', cell: (row) => <span className="num">{day(row.since)}</span> },
              { header: 'End', cell: (row) => <Button onClick={() => remove.mutate(row.entry)}>Unblock</Button> },
            ]}
          />
        )}
      </Loaded>
    </div>
  );
}
