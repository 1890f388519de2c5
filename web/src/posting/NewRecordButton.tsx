import { Plus } from 'lucide-react';
import { useContext } from 'react';
import { useAddress } from '~/shell/address';
import { Button } from '~/ui/Button';
import { catalog } from './catalog';
import { NewRecord } from './NewRecord';
import { NestedForm } from './nested';
import type { Context } from './posting';

type Props = {
  /** The posting that creates the record. */
  post: string;
  /** The place of the field in the form, which the URL holds while the form of the record is open. */
  at: string;
  context: Context;
  onCreated: (id: string) => void;
};

/** Opens the form of a record that a field refers to, over the form of the field, whose entries stay. The new record is chosen. */
export function NewRecordButton({ post, at, context, onCreated }: Props) {
  const [{ create }, setAddress] = useAddress();
  const posting = catalog[post];
  const Form = useContext(NestedForm);
  if (!Form || !posting || (posting.permission && !context.company.can(posting.permission))) return null;
  return (
    <>
      <Button look="ghost" className="-ml-2 self-start" onClick={() => setAddress({ create: at }, true)}>
        <Plus size={14} aria-hidden />
        {posting.title}
      </Button>
      {create === at && (
        <NewRecord
          Form={Form}
          posting={posting}
          context={context}
          onCreated={onCreated}
          onClose={() => setAddress({ create: undefined })}
        />
      )}
    </>
  );
}
