import { lazy, Suspense } from 'react';
import { useDay } from '~/day/day';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { catalog } from './catalog';

const PostingDrawer = lazy(() => import('./PostingDrawer'));

/** Opens the form that the URL names: ?post=issueShares, or ?post=voidShares&record=ID. */
export function PostingHost() {
  const [address, setAddress] = useAddress();
  const { post, record } = address;
  const { past } = useDay();
  const company = useCompany();
  const posting = post === undefined ? undefined : catalog[post];
  if (!posting || past || (posting.permission && !company.can(posting.permission))) return null;
  if (posting.offered?.({ address }) === false) return null;
  return (
    <Suspense>
      <PostingDrawer
        key={`${post} ${record}`}
        posting={posting}
        recordId={record}
        onClose={() => setAddress({ post: undefined, record: undefined })}
      />
    </Suspense>
  );
}
