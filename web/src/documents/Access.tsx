import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { client } from '~/api/client';
import { useList } from '~/api/list';
import { problemOf } from '~/api/problem';
import { useHolders } from '~/records/useNames';
import { useCompany } from '~/shell/company';
import { Button, IconButton } from '~/ui/Button';
import { Combobox } from '~/ui/Combobox';
import { Banner } from '~/ui/Notice';
import { notify } from '~/ui/notify';
import { Segments } from '~/ui/Segments';
import { documentsKey, type Item } from './api';

const modes = [
  ['inherit', 'As the folder'],
  ['restricted', 'Only these readers'],
] as const;

/** The roles and members that may read an item and everything below it. Owners always may. */
export function Access({ item }: { item: Item }) {
  const { id: organization } = useCompany();
  const queries = useQueryClient();
  const roles = useList('/organization/{organization}/role', { path: { organization } });
  const { members } = useHolders();
  const [access, setAccess] = useState(item.access);
  const save = useMutation({
    mutationFn: () =>
      client.PUT('/organization/{organization}/document/{document}/access', {
        params: { path: { organization, document: item.id } },
        body: access,
      }),
    onSuccess: () => {
      notify({ title: `Access to ${item.name} changed` });
      queries.invalidateQueries({ queryKey: documentsKey });
    },
  });
  const readers = access.members ?? [];
  const toggle = (list: 'roles' | 'members', name: string) => {
    const before = access[list] ?? [];
    const after = before.includes(name) ? before.filter((one) => one !== name) : [...before, name];
    setAccess({ ...access, [list]: after });
  };
  const nameOf = (id: string) => members.find((member) => member.id === id)?.fullName ?? 'Former member';
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
      {access.mode === 'restricted' && (
        <>
          {roles.rows.map((role) => (
            <Check
              key={role.name}
              label={role.name}
              checked={access.roles?.includes(role.name) ?? false}
              onChange={() => toggle('roles', role.name)}
            />
          ))}
          {readers.length > 0 && (
            <ul aria-label="Members">
              {readers.map((id) => (
                <li key={id} className="flex min-h-8 items-center border-b border-line">
                  <span className="mr-auto">{nameOf(id)}</span>
                  <IconButton label={`Remove ${nameOf(id)}`} onClick={() => toggle('members', id)}>
                    <X size={14} aria-hidden />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          <Combobox
            key={readers.length}
            label="Add a member"
            placeholder="Add a member"
            choices={members
              .filter((member) => !readers.includes(member.id))
              .map((member) => ({ value: member.id, label: member.fullName }))}
            value={undefined}
            onChange={(id) => id && toggle('members', id)}
          />
        </>
      )}
      <Check
        label="Readers may download it"
        checked={access.download}
        onChange={(download) => setAccess({ ...access, download })}
      />
      <Check
        label="Pages are stamped with the reader"
        checked={access.watermark}
        onChange={(watermark) => setAccess({ ...access, watermark })}
      />
      {save.error && <Banner tone="bad">{problemOf(save.error).message}</Banner>}
      <div>
        <Button disabled={access === item.access || save.isPending} onClick={() => save.mutate()}>
          Save the access
        </Button>
      </div>
    </section>
  );
}

type CheckProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

const Check = ({ label, checked, onChange }: CheckProps) => (
  <label className="flex items-center gap-2">
    <input
      type="checkbox"
      className="size-4 accent-(--accent)"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
    {label}
  </label>
);
