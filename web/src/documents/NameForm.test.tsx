import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { NameForm } from './NameForm';

const changed = vi.hoisted(() => ({ current: (): boolean => false }));
vi.mock('~/ui/Unsaved', () => ({
  Unsaved: (props: { changed: () => boolean }) => {
    changed.current = props.changed;
    return null;
  },
}));
afterEach(cleanup);

const form = (error?: string) => (
  <NameForm label="Name" initial="Term sheet" action="Rename" error={error} onSubmit={() => undefined} />
);

it('a sent name is no lost entry, unless it is refused or changed again', () => {
  const { rerender } = render(form());
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Signed terms' } });
  expect(changed.current()).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Rename' }));
  expect(changed.current()).toBe(false);
  rerender(form('The name is taken.'));
  expect(changed.current()).toBe(true);
  rerender(form());
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Other terms' } });
  expect(changed.current()).toBe(true);
});
