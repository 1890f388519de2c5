import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { useTitle } from './useTitle';

afterEach(cleanup);

function Titled({ text, above, children }: { text: string; above?: boolean; children?: ReactNode }) {
  useTitle(text, above);
  return children;
}

it('the title of the window names the open record, the page and the company', () => {
  const page = (open: boolean) => <Titled text="Shares · Northwind">{open && <Titled text="CS-33" above />}</Titled>;
  const { rerender } = render(page(true));
  expect(document.title).toBe('CS-33 · Shares · Northwind');
  rerender(page(false));
  expect(document.title).toBe('Shares · Northwind');
});

it('the title of the window follows the page below an open record', () => {
  const page = (text: string) => (
    <Titled text={text}>
      <Titled text="CS-33" above />
    </Titled>
  );
  const { rerender } = render(page('Shares · Equity'));
  rerender(page('Shares · Northwind'));
  expect(document.title).toBe('CS-33 · Shares · Northwind');
});
