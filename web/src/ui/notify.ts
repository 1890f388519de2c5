import type { ReactNode } from 'react';

export type NotificationAction = { label: string; run: () => void };

export type Notification = {
  title: string;
  description?: ReactNode;
  action?: NotificationAction;
  /** A second action, such as the reverse operation. */
  also?: NotificationAction;
  bad?: boolean;
};

const waiting: Notification[] = [];
const listeners = new Set<() => void>();

/** Shows a short message, which takes the place of the one before. It stays longer if it offers an action. */
export function notify(notification: Notification): void {
  waiting.push(notification);
  for (const listener of listeners) listener();
}

/** Returns the messages that were not shown yet. They are shown by the caller. */
export const takeNotifications = () => waiting.splice(0);

/** Calls the listener for each message until the returned function is called. */
export function onNotification(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
