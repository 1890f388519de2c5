import { useRef, useState } from 'react';
import { type Problem, problemOf } from '~/api/problem';
import type { Body, Context } from '~/posting/posting';
import { bodyOf, changesOf, type Item } from './forms';

type Send = (change: { itemId: string; fieldPath: string; newValue: unknown }) => Promise<unknown>;

const pointerOf = (name: string) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/**
 * Keeps what a user types into the items of a plan until the server has accepted it. A refused correction stays as typed, and
 * is sent again with the next ones. `send` sends one field, and `refresh` reads the items again.
 */
export function useCorrections(items: Item[], context: Context, send: Send, refresh: () => Promise<unknown>) {
  const [edits, setEdits] = useState<Record<string, Body>>({});
  const [problems, setProblems] = useState<Record<string, Problem | undefined>>({});
  const latest = useRef({ items, context, edits });
  latest.current = { items, context, edits };
  const accepted = useRef<Record<string, Record<string, string>>>({});
  const running = useRef<Promise<unknown>>(Promise.resolve());

  const unsent = (itemId: string): [string, unknown][] => {
    const item = latest.current.items.find((one) => one.itemId === itemId);
    const edited = latest.current.edits[itemId];
    if (!item || !edited) return [];
    const known = accepted.current[itemId] ?? {}; // the items that were read last may be older
    return Object.entries(changesOf(item, edited, latest.current.context)).filter(
      ([name, value]) => known[name] !== JSON.stringify(value),
    );
  };

  /** Sends the changed fields of an item. Returns the number of accepted and of refused ones. */
  const sendItem = async (itemId: string) => {
    let problem: Problem | undefined;
    const count = { accepted: 0, refused: 0 };
    for (const [name, value] of unsent(itemId)) {
      try {
        await send({ itemId, fieldPath: pointerOf(name), newValue: value });
        accepted.current[itemId] = { ...accepted.current[itemId], [name]: JSON.stringify(value) };
        count.accepted++;
      } catch (error) {
        problem ??= problemOf(error);
        count.refused++;
      }
    }
    setProblems((all) => ({ ...all, [itemId]: problem }));
    return count;
  };

  const sendAll = async (itemIds: string[]): Promise<boolean> => {
    // A refused field may fit as soon as another one is corrected, such as the authorized shares.
    for (;;) {
      const count = { accepted: 0, refused: 0 };
      for (const itemId of itemIds) {
        const one = await sendItem(itemId);
        count.accepted += one.accepted;
        count.refused += one.refused;
      }
      if (count.accepted > 0) await refresh();
      if (count.refused === 0 || count.accepted === 0) return count.refused === 0;
    }
  };

  /** One send follows another, so that none repeats a field that is on its way. */
  const inTurn = (itemIds: () => string[]): Promise<boolean> => {
    const next = running.current.then(() => sendAll(itemIds()));
    running.current = next.catch(() => undefined);
    return next;
  };

  return {
    bodyOf: (item: Item): Body => edits[item.itemId] ?? bodyOf(item),
    problemOf: (item: Item) => problems[item.itemId],
    isUnsent: (item: Item) => unsent(item.itemId).length > 0,
    change: (item: Item, body: Body) => setEdits((all) => ({ ...all, [item.itemId]: body })),
    save: (item: Item) => inTurn(() => (unsent(item.itemId).length > 0 ? [item.itemId] : [])),
    /** Sends all that was typed. Returns whether the server accepted everything. */
    saveAll: () => inTurn(() => Object.keys(latest.current.edits).filter((itemId) => unsent(itemId).length > 0)),
  };
}
