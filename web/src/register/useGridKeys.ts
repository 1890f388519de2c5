import { type KeyboardEvent, type RefObject, useCallback } from 'react';
import { count } from '~/decimal/count';
import { controlsOf, keepOneStop } from '~/ui/roving';

/** Moves the focus to a row, or to the control in one of its cells, and scrolls to it. */
export type MoveTo = (index: number, cell?: number) => void;

type Actions = {
  rows: number;
  onOpen: (index: number) => void;
  onToggle: (index: number) => void;
  onClear: () => void;
};

const page = 15; // rows of the Page keys

/** Returns the control in a cell of a line; undefined for a cell with text only. */
export const controlIn = (line: Element | null | undefined, cell: number | undefined): HTMLElement | undefined => {
  const found = cell === undefined ? undefined : line?.children[cell];
  return found && controlsOf(found)[0];
};

/**
 * Handles the keys of a grid, which is one tab stop. Up, Down, Home, End and the Page keys move between lines, Left and Right between
 * a row and its controls. Enter opens a row or activates a control, Space selects, Escape returns to the row and clears the selection.
 */
export function useGridKeys(
  grid: RefObject<HTMLElement | null>,
  moveTo: RefObject<MoveTo | undefined>,
  { rows, onOpen, onToggle, onClear }: Actions,
) {
  const onFocus = useCallback(() => keepOneStop(grid.current), [grid]);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const line = target.closest<HTMLElement>('[role=row]');
    // Popups of a cell are elsewhere in the document.
    if (!line || !grid.current?.contains(target) || event.metaKey || event.ctrlKey || event.altKey) return;
    const index = count(line.dataset.index ?? '');
    const cellElement = target.closest('[role=gridcell], [role=columnheader]');
    const cell = cellElement ? [...line.children].indexOf(cellElement) : undefined;
    const controls = controlsOf(line);
    const at = controls.indexOf(target);
    const toRow = (to: number) => moveTo.current?.(to, cell);
    const heads = [...grid.current.querySelectorAll<HTMLElement>('[role=row]:not([data-index])')];
    const toHead = (to: HTMLElement | undefined) => (controlIn(to, cell ?? 0) ?? (to && controlsOf(to)[0]))?.focus();
    const up = () => {
      const above = index === undefined ? heads.slice(0, heads.indexOf(line)) : heads;
      if (index) toRow(index - 1);
      else toHead(above.findLast((one) => controlsOf(one).length > 0));
    };
    const down = () => {
      const below = index === undefined ? heads.slice(heads.indexOf(line) + 1) : [];
      const next = below.find((one) => controlsOf(one).length > 0);
      if (next) toHead(next);
      else toRow(index === undefined ? 0 : index + 1);
    };
    const keys: Record<string, () => void> = {
      ArrowDown: down,
      ArrowUp: up,
      ArrowRight: () => controls[at + 1]?.focus(),
      ArrowLeft: () => (at > 0 ? controls[at - 1] : line)?.focus(),
      PageDown: () => toRow((index ?? 0) + page),
      PageUp: () => toRow((index ?? 0) - page),
      Home: () => toRow(0),
      End: () => toRow(rows - 1),
      Escape: () => (target !== line && index !== undefined ? line.focus() : onClear()),
    };
    if (target === line && index !== undefined) {
      keys.Enter = () => onOpen(index);
      keys[' '] = () => onToggle(index);
    }
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return { onFocus, onKeyDown };
}
