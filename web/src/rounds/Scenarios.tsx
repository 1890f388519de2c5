import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { Button } from '~/ui/Button';
import { copy } from '~/ui/copy';
import { Menu } from '~/ui/Menu';
import { notify } from '~/ui/notify';
import { addressOf, examples, type Terms, termsOf } from './terms';

type Saved = { name: string; terms: Record<string, string | undefined> };

const most = 20;
const key = (organization: string) => `scenarios ${organization}`;

function read(organization: string): Saved[] {
  try {
    return JSON.parse(localStorage.getItem(key(organization)) ?? '[]');
  } catch {
    return [];
  }
}

/** Saved models of this browser. A model is also complete in the URL of the page, for sharing. */
export function Scenarios({
  organization,
  terms,
  onOpen,
}: {
  organization: string;
  terms: Terms;
  onOpen: (terms: Terms) => void;
}) {
  const [saved, setSaved] = useState(() => read(organization));
  const store = (next: Saved[]) => {
    localStorage.setItem(key(organization), JSON.stringify(next.slice(0, most)));
    setSaved(next.slice(0, most));
  };
  const name = terms.name || examples.name;
  const save = () => {
    store([{ name, terms: addressOf(terms) }, ...saved.filter((one) => one.name !== name)]);
    notify({ title: `${name} saved in this browser` });
  };
  const share = () => copy(location.href, 'Address of the model copied');
  return (
    <Menu
      trigger={
        <Button>
          <Bookmark size={15} aria-hidden />
          Scenarios
        </Button>
      }
      items={[
        { label: `Save “${name}”`, run: save },
        { label: 'Copy address', run: share },
        ...saved.map((one) => ({ label: one.name, hint: 'saved', run: () => onOpen(termsOf(one.terms)) })),
        saved.length > 0 && { label: 'Delete saved scenarios', danger: true, run: () => store([]) },
      ]}
    />
  );
}
