import { type ComponentType, useMemo } from 'react';
import type { FormProps } from './PostingForm';
import type { Context, Posting } from './posting';

type Props = {
  Form: ComponentType<FormProps>;
  posting: Posting;
  /** The place of the other form. */
  context: Context;
  onCreated: (id: string) => void;
  onClose: () => void;
};

/** The form of a record that another form needs. The message after it has no links, which would end the other form. */
export function NewRecord({ Form, posting, context: { company, today, address }, onCreated, onClose }: Props) {
  const linkless = useMemo<Posting>(() => ({ ...posting, link: undefined, reverse: undefined }), [posting]);
  const first = useMemo(
    () => ({ context: { company, today, address, record: undefined, nested: true }, tag: undefined }),
    [company, today, address],
  );
  return (
    <Form
      posting={linkless}
      first={first}
      reload={async () => undefined}
      remaining={0}
      onDone={(_, record) => {
        onClose();
        onCreated(String(record?.id));
      }}
      onClose={onClose}
    />
  );
}
