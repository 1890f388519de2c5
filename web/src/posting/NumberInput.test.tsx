import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { NumberInput } from './NumberInput';

function Field({ initial }: { initial: string }) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <NumberInput aria-label="Shares" value={value} onChange={(next) => setValue(String(next))} />
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
