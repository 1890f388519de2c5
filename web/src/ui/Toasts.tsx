import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from './Button';
import { type NotificationAction, onNotification, takeNotifications } from './notify';
import { useToastPlace } from './toastPlace';
import { Unbroken } from './Unbroken';

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

/** The latest message. It takes the place of the one before. */
function Shown() {
  const { toasts } = Toast.useToastManager<Data>();
  const messages = useRef<HTMLDivElement>(null);
  const shown = toasts.slice(0, 1);
  useToastPlace(messages, shown.length > 0);
  return (
    <Toast.Viewport ref={messages} className="fixed z-70 print:hidden" data-messages>
      {shown.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </Toast.Viewport>
  );
}

function Message({ toast }: { toast: Toast.Root.ToastObject<Data> }) {
  return (
    <Toast.Root toast={toast} className="pop sheet flex items-start gap-3 p-3">
      <div className="mr-auto min-w-0">
        <Toast.Title className={`font-medium ${toast.type === 'bad' ? 'text-neg' : ''}`}>
          {typeof toast.title === 'string' ? <Unbroken text={toast.title} /> : toast.title}
        </Toast.Title>
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
  );
}

/** Adds the messages that wait. */
function Added() {
  const { add, close } = Toast.useToastManager<Data>();
  const last = useRef<string>(undefined);
  useEffect(() => {
    const addAll = () => {
      for (const { title, description, action, also, bad } of takeNotifications()) {
        if (last.current) close(last.current);
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
        last.current = id;
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
    <Toast.Provider limit={1}>
      <Added />
      <Toast.Portal>
        <Shown />
      </Toast.Portal>
    </Toast.Provider>
  );
}
