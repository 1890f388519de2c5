import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { NumberInput } from './NumberInput';

function Field({ initial, control: Control = NumberInput }: { initial: string; control?: typeof NumberInput }) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <Control aria-label="Shares" value={value} onChange={(next) => setValue(String(next))} />
      <output>{value}</output>
    </>
  );
}

it('replaces a number that was reached with the Tab key', async () => {
  const user = userEvent.setup();
  render(<Field initial="15000" />);
  const field = screen.getByLabelText<HTMLInputElement>('Shares');
  expect(field.value).toBe('15,000');
  await user.tab();
  await user.keyboard('5,000');
  expect(screen.getByRole('status').textContent).toBe('5000');
  await user.tab();
  expect(field.value).toBe('5,000');
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('refuses text that is no number with its form, without a change of its meaning', async () => {
  const user = userEvent.setup();
  render(<Field initial="" />);
  const field = screen.getByLabelText<HTMLInputElement>('Shares');
  await user.type(field, '1,5');
  expect(screen.queryByRole('alert')).toBeNull();
  await user.tab();
  expect(field.value).toBe('1,5');
  expect(screen.getByRole('alert').textContent).toBe('Write the number like 12,345.5.');
  expect(screen.getByRole('status').textContent).toBe('1 5?');
  await user.clear(field);
  await user.type(field, '1,500');
  await user.tab();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('1500');
});

it('reads and shows the numbers of a German reader, and pastes no number with two meanings', async () => {
  vi.stubGlobal('navigator', { language: 'de-DE', clipboard: navigator.clipboard, userAgent: navigator.userAgent });
  vi.resetModules();
  const { NumberInput: control } = await import('./NumberInput');
  const user = userEvent.setup();
  render(<Field initial="1234.56" control={control} />);
  const field = screen.getByLabelText<HTMLInputElement>('Shares');
  expect([field.value, screen.queryByRole('alert')]).toEqual(['1.234,56', null]);
  await user.clear(field);
  await user.paste('1.234');
  expect([field.value, screen.getByRole('status').textContent]).toEqual(['', '']);
  expect(screen.getByRole('alert').textContent).toContain('"1.234" was not pasted');
  await user.paste('1234.56');
  expect(screen.getByRole('status').textContent).toBe('1234.56?');
  await user.clear(field);
  await user.type(field, '1.234,5');
  expect(screen.getByRole('status').textContent).toBe('1234.5');
  await user.tab();
  expect([field.value, screen.queryByRole('alert')]).toEqual(['1.234,5', null]);
});
