import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { problemOf } from '~/api/problem';
import { documentsKey, upload } from './api';

/** Upload is a file on its way into the data room. */
export type Upload = {
  key: string;
  file: File;
  folder: string | undefined;
  sent: number;
  state: 'waiting' | 'sending' | 'stored' | 'failed';
  reason?: string;
};

const atOnce = 2; // files that are sent at the same time

/** Sends files one by one with their progress. A failed file stops no other, and can be sent again. */
export function useUploads(organization: string) {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const waiting = useRef<Upload[]>([]);
  const running = useRef(0);
  const change = useCallback(
    (key: string, part: Partial<Upload>) =>
      setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one))),
    [],
  );
  const work = useCallback(async () => {
    if (running.current >= atOnce) return;
    running.current++;
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
      const { key, file, folder } = next;
      change(key, { state: 'sending' });
      await upload(organization, folder, file, key, (sent) => change(key, { sent })).then(
        () => change(key, { state: 'stored', sent: 1 }),
        (error) => change(key, { state: 'failed', reason: problemOf(error).message }),
      );
      queries.invalidateQueries({ queryKey: documentsKey });
    }
    running.current--;
  }, [change, organization, queries]);
  const begin = (added: Upload[]) => {
    waiting.current.push(...added);
    for (let at = 0; at < Math.min(added.length, atOnce); at++) work();
  };
  return {
    uploads,
    add: (files: File[], folder: string | undefined) => {
      const added = files.map(
        (file): Upload => ({ key: crypto.randomUUID(), file, folder, sent: 0, state: 'waiting' }),
      );
      setUploads((all) => [...all, ...added]);
      begin(added);
    },
    again: (failed: Upload) => {
      change(failed.key, { state: 'waiting', sent: 0, reason: undefined });
      begin([failed]);
    },
    clear: () => setUploads((all) => all.filter((one) => one.state === 'waiting' || one.state === 'sending')),
  };
}
