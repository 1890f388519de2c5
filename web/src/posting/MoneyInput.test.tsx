import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { Schema } from '~/api/client';
import { withRights } from '~/shell/company';
import { Control } from './Control';
import type { Context, FieldSpec, StoredRecord } from './posting';

afterEach(cleanup);

const company = withRights({ id: 'org', currency: 'USD' } as Schema<'Organization'>);

type Props = { kind: string; initial: unknown; record?: StoredRecord; spec?: Partial<FieldSpec> };

function Field({ kind, initial, record, spec }: Props) {
  const [value, setValue] = useState(initial);
  const context: Context = { company, record, today: '2026-02-01', address: {} };
  return (
    <>
      <Control
        id="price"
        aria-label="Price"
        spec={{ name: 'price', ...spec }}
        contract={{ name: 'price', kind }}
        context={context}
        body={{}}
        value={value}
        onChange={setValue}
      />
      <output>{JSON.stringify(value)}</output>
    </>
  );
}

const euro = { principal: { amount: '1', currency: 'EUR' } };

it.each([
  { kind: 'price', initial: '1.5', shown: '1.5', unit: 'USD', sent: '2.25' },
  { kind: 'amount', initial: undefined, shown: '', unit: 'USD', sent: '2.25' },
  { kind: 'price', initial: '1.5', record: euro, shown: '1.5', unit: 'EUR', sent: '2.25' },
  {
    kind: 'price',
    initial: '1.5',
    record: euro,
    spec: { inCompanyCurrency: true } as const,
    shown: '1.5',
    unit: 'USD',
    sent: '2.25',
  },
  {
    kind: 'price',
    initial: { amount: '1.5', currency: 'GBP' },
    shown: '1.5',
    unit: 'GBP',
    sent: { amount: '2.25', currency: 'GBP' },
  },
  { kind: 'money', initial: undefined, shown: '', unit: 'USD', sent: { amount: '2.25', currency: 'USD' } },
])('shows the currency of a $kind and sends one form ($unit, $initial)', async ({ shown, unit, sent, ...field }) => {
  const user = userEvent.setup();
  render(<Field {...field} />);
  const input = screen.getByLabelText<HTMLInputElement>('Price');
  expect(input.value).toBe(shown);
  expect(screen.getByText(unit)).toBeDefined();
  await user.clear(input);
  await user.type(input, '2.25');
  expect(JSON.parse(screen.getByRole('status').textContent ?? '')).toEqual(sent);
});
