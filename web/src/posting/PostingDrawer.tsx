import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useMemo, useState } from 'react';
import { today } from '~/format/dates';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Drawer } from '~/ui/Drawer';
import { Banner, Failure } from '~/ui/Notice';
import { PostingForm } from './PostingForm';
import type { Body, Context, Posting } from './posting';
import { recordQuery } from './records';

type Props = {
  posting: Posting;
  recordId: string | undefined;
  /** The body of the same change of the record before. */
  carried?: Body;
  /** The number of records that follow. */
  remaining: number;
  onDone: (body: Body) => void;
  onClose: () => void;
};

/** Loads the record that a posting changes, and opens its form. */
export function PostingDrawer({ posting, recordId, onClose, ...series }: Props) {
  const company = useCompany();
  const [address] = useAddress();
  const loaded = useQuery({
    ...recordQuery(posting.record ?? 'organization', company.id, recordId ?? company.id),
    enabled: posting.record !== undefined,
  });
  const record = loaded.data?.record;
  const context = useMemo<Context>(() => ({ company, record, today: today(), address }), [company, record, address]);
  const reload = async () => {
    const { data } = await loaded.refetch();
    return data && { context: { ...context, record: data.record, today: today() }, tag: data.tag };
  };
  if (posting.record === undefined || record) {
    const first = { context, tag: loaded.data?.tag };
    return <OpenedPosting {...series} posting={posting} first={first} reload={reload} onClose={onClose} />;
  }
  return (
    <Drawer open onClose={onClose} title={posting.title}>
      {loaded.isError ? (
        <Failure what="The record" error={loaded.error} retry={loaded.refetch} />
      ) : (
        <div className="skeleton h-48" />
      )}
    </Drawer>
  );
}

/** The form of a posting, unless the posting does not apply to the record when it is opened, by an old link for example. */
function OpenedPosting(props: ComponentProps<typeof PostingForm>) {
  const { posting, first, carried = {}, remaining, onDone, onClose } = props;
  const { record, company } = first.context;
  const [applies] = useState(() => !record || (posting.applies?.(record, company) ?? true));
  if (applies) return <PostingForm {...props} />;
  return (
    <Drawer
      open
      onClose={onClose}
      title={posting.title}
      footer={
        <Button onClick={() => (remaining > 0 ? onDone(carried) : onClose())}>
          {remaining > 0 ? 'Skip' : 'Close'}
        </Button>
      }
    >
      <Banner>This change does not apply to the record in its present state.</Banner>
    </Drawer>
  );
}
