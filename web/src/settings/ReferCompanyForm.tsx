import { type FormEvent, useRef, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { client } from '~/api/client';
import { Button } from '~/ui/Button';
import { Unsaved } from '~/ui/Unsaved';
import { useAction } from './useAction';

const empty = { name: '', website: '', contactEmail: '' };

/** Refers a company, which earns the user a reward card. */
export function ReferCompanyForm() {
  const [body, setBody] = useState(empty);
  const key = useRef(crypto.randomUUID());
  const refer = useAction(
    () => client.POST('/referral/company', { params: { header: { 'Idempotency-Key': key.current } }, body }),
    'Company referred',
  );
  const change = (part: Partial<typeof body>) => {
    key.current = crypto.randomUUID();
    setBody({ ...body, ...part });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    refer.mutate(undefined, { onSuccess: () => change(empty) });
  };
  return (
    <form onSubmit={submit} aria-label="Referral of a company" className="mt-4 flex max-w-md flex-col gap-3" noValidate>
      <Unsaved changed={() => Object.values(body).some((text) => text !== '')} />
      <p className="text-ink-3">Refer a company that could use Equity, and earn a card.</p>
      <TextField
        label="Name of the company"
        name="name"
        problem={refer.problem}
        value={body.name}
        onChange={(name) => change({ name })}
      />
      <TextField
        label="Website of the company"
        name="website"
        type="url"
        problem={refer.problem}
        value={body.website}
        onChange={(website) => change({ website })}
      />
      <TextField
        label="E-mail of a contact"
        name="contactEmail"
        type="email"
        problem={refer.problem}
        value={body.contactEmail}
        onChange={(contactEmail) => change({ contactEmail })}
      />
      <Refusal problem={refer.problem} />
      <div>
        <Button type="submit" disabled={Object.values(body).includes('') || refer.isPending}>
          Refer the company
        </Button>
      </div>
    </form>
  );
}
