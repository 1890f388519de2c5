import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { IconButton } from './Button';
import { type NotificationAction, onNotification, takeNotifications } from './notify';

type Data = { also?: NotificationAction };

/** The second action of a message. It ends the message, like the first one. */
function Also({ toast }: { toast: { id: string; data?: Data } }) {
  const { close } = Toast.useToastManager();
  const also = toast.data?.also;
  if (!also) return null;
  const run = () => {
    close(toast.id);
    also.run();
  };
  return (
    <button type="button" className="mt-1 font-medium text-accent" onClick={run}>
      {also.label}
    </button>
  );
}

function Shown() {
  const { toasts } = Toast.useToastManager<Data>();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="pop sheet mb-2 flex w-80 items-start gap-3 p-3 max-[900px]:w-full"
    >
      <div className="mr-auto min-w-0">
        <Toast.Title className={`font-medium ${toast.type === 'bad' ? 'text-neg' : ''}`} />
        <Toast.Description className="text-ink-2" render={<div />} />
        <p className="flex gap-4">
          <Toast.Action className="mt-1 font-medium text-accent" />
          <Also toast={toast} />
        </p>
      </div>
      <Toast.Close render={<IconButton label="Dismiss" className="-m-1" />}>
        <X size={14} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}

/** Adds the messages that wait. */
function Added() {
  const { add, close } = Toast.useToastManager<Data>();
  useEffect(() => {
    const addAll = () => {
      for (const { title, description, action, also, bad } of takeNotifications()) {
        const id = add({
          title,
          description,
          type: bad ? 'bad' : 'good',
          data: { also },
          timeout: action ? 10_000 : 5_000,
          priority: bad ? 'high' : 'low',
          ...(action && {
            actionProps: {
              children: action.label,
              onClick: () => {
                close(id);
                action.run();
              },
            },
          }),
        });
      }
    };
    addAll();
    return onNotification(addAll);
  }, [add, close]);
  return null;
}

/** The messages. */
export default function Toasts() {
  return (
    <Toast.Provider>
      <Added />
      <Toast.Portal>
        <Toast.Viewport className="fixed print:hidden right-4 bottom-4 z-70 w-80 max-[900px]:inset-x-2 max-[900px]:bottom-2 max-[900px]:w-auto">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
