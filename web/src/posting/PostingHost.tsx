import { lazy, Suspense, useState } from 'react';
import { useDay } from '~/day/day';
import { listOf, useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { catalog } from './catalog';
import type { Body } from './posting';

const PostingDrawer = lazy(() => import('./PostingDrawer'));

/** Opens the form that the URL names: ?post=issueShares, or ?post=voidShares&record=ID. Several records follow each other. */
export function PostingHost() {
  const [address, setAddress] = useAddress();
  const { post, record } = address;
  const { past } = useDay();
  const [carried, setCarried] = useState<Body>();
  const company = useCompany();
  const posting = post === undefined ? undefined : catalog[post];
  if (!posting || past || (posting.permission && !company.can(posting.permission))) return null;
  if (posting.offered?.({ address }) === false) return null;
  const [first, ...rest] = listOf(record);
  const onDone = (body: Body) => {
    setCarried(rest.length > 0 ? body : undefined);
    setAddress({ post: rest.length > 0 ? post : undefined, record: rest.join(',') || undefined });
  };
  const onClose = () => {
    setCarried(undefined);
    setAddress({ post: undefined, record: undefined });
  };
  return (
    <Suspense>
      <PostingDrawer
        key={`${post} ${first}`}
        posting={posting}
        recordId={first}
        carried={carried}
        remaining={rest.length}
        onDone={onDone}
        onClose={onClose}
      />
    </Suspense>
  );
}
