import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '~/api/client';
import { useList } from '~/api/list';
import { problemOf } from '~/api/problem';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import { Segments } from '~/ui/Segments';
import { notify } from '~/ui/Toasts';
import type { Item } from './api';

const modes = [
  ['inherit', 'As the folder'],
  ['restricted', 'Only roles'],
] as const;

/** The roles that may read an item and everything below it. Owners always may. */
export function Access({ item }: { item: Item }) {
  const { id: organization } = useCompany();
  const queries = useQueryClient();
  const roles = useList('/organization/{organization}/role', { path: { organization } });
  const [access, setAccess] = useState(item.access);
  const save = useMutation({
    mutationFn: () =>
      client.PUT('/organization/{organization}/document/{document}/access', {
        params: { path: { organization, document: item.id } },
        body: access,
      }),
    onSuccess: () => {
      notify({ title: `Access to ${item.name} changed` });
      queries.invalidateQueries({ queryKey: ['get', '/organization/{organization}/document'] });
    },
  });
  const chosen = access.roles ?? [];
  const toggle = (name: string) =>
    setAccess({ ...access, roles: chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name] });
  return (
    <section aria-label="Access" className="mt-6 flex flex-col gap-2">
      <h3 className="font-medium">Access</h3>
      <div className="flex">
        <Segments
          label="Access"
          value={access.mode}
          choices={modes}
          onChange={(mode) => setAccess({ ...access, mode })}
        />
      </div>
      {access.mode === 'restricted' &&
        roles.rows.map((role) => (
          <label key={role.name} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-(--accent)"
              checked={chosen.includes(role.name)}
              onChange={() => toggle(role.name)}
            />
            {role.name}
          </label>
        ))}
      {(['download', 'watermark'] as const).map((name) => (
        <label key={name} className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            checked={access[name]}
            onChange={(event) => setAccess({ ...access, [name]: event.target.checked })}
          />
          {name === 'download' ? 'Readers may download it' : 'Pages are stamped with the reader'}
        </label>
      ))}
      {save.error && <Banner tone="bad">{problemOf(save.error).message}</Banner>}
      <div>
        <Button disabled={access === item.access || save.isPending} onClick={() => save.mutate()}>
          Save the access
        </Button>
      </div>
    </section>
  );
}
