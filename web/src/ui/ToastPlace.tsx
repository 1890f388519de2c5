import { Suspense, useEffect, useState } from 'react';
import { onNotification } from './notify';
import { part } from './part';

const Toasts = part(() => import('./Toasts'));

/** The place of the messages, which is loaded for the first one. The application has one. */
export function ToastPlace() {
  const [used, setUsed] = useState(false);
  useEffect(() => onNotification(() => setUsed(true)), []);
  return (
    used && (
      <Suspense>
        <Toasts />
      </Suspense>
    )
  );
}
