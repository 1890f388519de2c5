import { useState } from 'react';
import { listOf, useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { catalog } from './catalog';
import { PostingDrawer } from './PostingDrawer';
import type { Body } from './posting';

/** The form of a posting for one record after another. A user without the permission sees none. */
export default function PostingSeries({ post, record }: { post: string; record: string | undefined }) {
  const [address, setAddress] = useAddress();
  const [carried, setCarried] = useState<Body>();
  const company = useCompany();
  const posting = catalog[post];
  if (!posting || (posting.permission && !company.can(posting.permission))) return null;
  if (posting.offered?.({ address }) === false) return null;
  const [first, ...rest] = listOf(record);
  const onDone = (body: Body) => {
    setCarried(rest.length > 0 ? body : undefined);
    setAddress({ post: rest.length > 0 ? post : undefined, record: rest.join(',') || undefined });
  };
  return (
    <PostingDrawer
      key={`${post} ${first}`}
      posting={posting}
      recordId={first}
      carried={carried}
      remaining={rest.length}
      onDone={onDone}
      onClose={() => setAddress({ post: undefined, record: undefined })}
    />
  );
}
