import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from './lazyPart';
import { onNotification } from './notify';

const Toasts = lazyPart(() => import('./Toasts'));

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
