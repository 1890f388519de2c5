import { useNavigate } from '@tanstack/react-router';
import { onSameDay } from '~/day/day';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { notify } from '~/ui/notify';
import type { Body, Posting } from './posting';
import type { Answer } from './send';
import { useMayPost } from './usePostings';

/** Returns a function that shows the result of a posting, with its sequence, a link, and the reverse operation. */
export function useAnnounce(): (posting: Posting, answer: Answer, body: Body) => void {
  const navigate = useNavigate();
  const { id: organization } = useCompany();
  const [, setAddress] = useAddress();
  const may = useMayPost();
  return (posting, { record, sequence }, body) => {
    const found = posting.reverse?.(record);
    const reverse = found && may(found.posting) ? found : undefined;
    const link = posting.link?.(record, body);
    const follow = () =>
      link &&
      navigate({ to: `/company/${organization}/${link.page}`, search: onSameDay({ open: link.open, tab: link.tab }) });
    if (posting.opens) follow();
    const show = link && !posting.opens ? { label: 'Show', run: follow } : undefined;
    const undo = reverse && {
      label: reverse.label,
      run: () => setAddress({ post: reverse.posting, record: reverse.record }, true),
    };
    notify({
      title: posting.done(record, body),
      description: sequence && `Journal entry ${sequence}`,
      action: show ?? undo,
      also: show && undo,
    });
  };
}
