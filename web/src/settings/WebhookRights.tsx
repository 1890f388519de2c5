import type { Schema } from '~/api/client';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';

type Props = {
  webhook: Pick<Schema<'Webhook'>, 'actsFor' | 'limitation'>;
  disabled: boolean;
  onTakeOver: () => void;
};

/** The member with whose rights a webhook acts, and what is not sent for want of rights. Only editors of the company know both. */
export const WebhookRights = ({ webhook, disabled, onTakeOver }: Props) => (
  <>
    {webhook.actsFor && <p className="text-xs text-ink-3">Acts with the rights of {webhook.actsFor}</p>}
    {webhook.limitation && (
      <div className="mt-2 flex flex-col items-start gap-2">
        <Banner tone="warn">{webhook.limitation}</Banner>
        <Button disabled={disabled} onClick={onTakeOver}>
          Take over with your rights
        </Button>
      </div>
    )}
  </>
);
