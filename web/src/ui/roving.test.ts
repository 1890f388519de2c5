// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { keepOneStop } from './roving';

const group = () => {
  const root = document.createElement('div');
  root.innerHTML = '<button>a</button><button class="chosen">b</button><button>c</button>';
  document.body.replaceChildren(root);
  return root;
};
const stops = (root: Element) => [...root.querySelectorAll('button')].map((one) => one.tabIndex).join(' ');

test('the first control is the tab stop', () => {
  const root = group();
  keepOneStop(root);
  expect(stops(root)).toBe('0 -1 -1');
});

test('the preferred control is the tab stop before one had the focus', () => {
  const root = group();
  keepOneStop(root, '.chosen');
  expect(stops(root)).toBe('-1 0 -1');
});

test('the control that had the focus remains the tab stop', () => {
  const root = group();
  root.querySelectorAll('button')[2]?.focus();
  keepOneStop(root, '.chosen');
  (document.activeElement as HTMLElement).blur();
  keepOneStop(root, '.chosen');
  expect(stops(root)).toBe('-1 -1 0');
});
