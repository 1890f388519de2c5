import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '~/api/client';
import { problemOf } from '~/api/problem';
import { faultAt } from '~/posting/body';
import { currentUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Banner } from '~/ui/Notice';
import { Unsaved } from '~/ui/Unsaved';

/** Creates a company with its name and currency only. */
export function EmptyCompany() {
  const [name, setName] = useState('');
  const [currency, setCurrency] = useState('USD');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const create = api.useMutation('post', '/organization');
  const problem = create.error ? problemOf(create.error) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { body: { name, currency } },
      {
        onSuccess: async (made) => {
          await queries.invalidateQueries({ queryKey: currentUser.queryKey });
          if ('id' in made) navigate({ to: '/company/$organization/captable', params: { organization: made.id } });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-3">
      <Unsaved changed={() => name !== '' && !create.isSuccess} />
      <Field label="Name" error={problem && faultAt(problem.faults, 'name')}>
        {(parts) => <Input {...parts} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field
        label="Currency"
        help="The currency of prices and amounts, as a code of three letters."
        error={problem && faultAt(problem.faults, 'currency')}
      >
        {(parts) => (
          <Input
            {...parts}
            className="uppercase"
            maxLength={3}
            value={currency}
            onChange={(event) => setCurrency(event.target.value.toUpperCase())}
          />
        )}
      </Field>
      {problem && problem.faults.length === 0 && <Banner tone="bad">{problem.message}</Banner>}
      <div>
        <Button type="submit" disabled={!name.trim() || create.isPending}>
          Create an empty company
        </Button>
      </div>
    </form>
  );
}
