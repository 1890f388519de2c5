import { Suspense } from 'react';
import { useDay } from '~/day/day';
import { useAddress } from '~/shell/address';
import { lazyPart } from '~/ui/lazyPart';

const PostingSeries = lazyPart(() => import('./PostingSeries'));

/** Opens the form that the URL names: ?post=issueShares, or ?post=voidShares&record=ID. Several records follow each other. */
export function PostingHost() {
  const [{ post, record }] = useAddress();
  const { past } = useDay();
  if (post === undefined || past) return null;
  return (
    <Suspense>
      <PostingSeries key={post} post={post} record={record} />
    </Suspense>
  );
}
