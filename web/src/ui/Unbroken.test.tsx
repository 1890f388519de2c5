import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Unbroken } from './Unbroken';

afterEach(cleanup);

it.each([
  ['Issued 5 shares to Ada (CS-12)', ['CS-12']],
  ['PREF-A-3 and CS-1, CS-2, …', ['PREF-A-3', 'CS-1', 'CS-2']],
  ['The well-known Kettering-Olivares fund', []],
  ['01926f4a-7b3c-7f10-8d21-6a5e4c3b2a19 on 2024-03-15', []],
])('keeps the certificate numbers of %s on one line', (text, kept) => {
  const { container } = render(<Unbroken text={text} />);
  expect(container.textContent).toBe(text);
  expect([...container.querySelectorAll('.whitespace-nowrap')].map((part) => part.textContent)).toEqual(kept);
});
