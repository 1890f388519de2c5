import { expect, it } from 'vitest';
import { marginsOf } from './print';

it('NamesOfCompaniesStayWithinTheirString', () =>
  expect(marginsOf('A "B" \\ C', '29 Nov 2026')).toBe(
    '@page { @top-left { content: "A \\22 B\\22  \\5c  C" } @top-right { content: "29 Nov 2026" } }',
  ));
