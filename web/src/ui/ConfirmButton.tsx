import { Button } from './Button';
import { Popover } from './Popover';

type Props = {
  /** The action, such as "Revoke". */
  label: string;
  /** The consequence, in one sentence. */
  consequence: string;
  onConfirm: () => void;
  danger?: boolean;
};

/** A button whose action cannot be reversed. It states the consequence and runs after a second click. */
export function ConfirmButton({ label, consequence, onConfirm, danger }: Props) {
  return (
    <Popover
      label={label}
      align="end"
      className="w-72 p-4 text-sm"
      trigger={<Button className={danger ? 'text-neg' : ''}>{label}</Button>}
    >
      {(close) => (
        <>
          <p className="mb-3 text-ink-2">{consequence}</p>
          <div className="flex justify-end gap-2">
            <Button onClick={close}>Cancel</Button>
            <Button
              look="danger"
              onClick={() => {
                close();
                onConfirm();
              }}
            >
              {label}
            </Button>
          </div>
        </>
      )}
    </Popover>
  );
}
