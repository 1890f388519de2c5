import type { Schema } from '~/api/client';
import { moment } from '~/format/dates';
import { Chip } from '~/ui/Chip';

type Props = {
  share: Pick<Schema<'DocumentShare'>, 'email' | 'expiresAt' | 'revokedAt' | 'download' | 'authorLacksRights'>;
  onEnd: () => void;
};

const ended = (share: Props['share']) => share.revokedAt !== undefined || Date.parse(share.expiresAt) < Date.now();

/** What a share opens and until when, and its end. */
export const ShareState = ({ share, onEnd }: Props) =>
  ended(share) ? (
    <span className="text-ink-3">ended {moment(share.revokedAt ?? share.expiresAt)}</span>
  ) : (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      {share.authorLacksRights && <Chip tone="warn">opens nothing</Chip>}
      {share.download && <Chip>download</Chip>}
      until {moment(share.expiresAt)}
      <button
        type="button"
        aria-label={`End the share with ${share.email ?? 'an erased person'}`}
        className="font-medium text-neg hover:underline"
        onClick={onEnd}
      >
        End
      </button>
      {share.authorLacksRights && (
        <span className="basis-full text-xs text-ink-3">Its author may not share this document any more.</span>
      )}
    </span>
  );
