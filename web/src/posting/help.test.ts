import { describe, expect, it } from 'vitest';
import { helpOf } from './help';

describe('help of a field', () => {
  it.each([
    ['The number of shares.', 'Shares'],
    ['The effective date.', 'Date'],
    ['The issue date.', 'Issue date'],
    ['The date of the board approval.', 'Board approval date'],
    ['The kind of issuance.', 'Issuance type'],
    ['The number of additional shares.', 'Additional shares'],
    ['The payment in cash.', 'Paid in cash'],
    ['A price per share. A plain decimal string is in the currency of the company.', 'Price per share'],
    ["The client's own id, unique per organization.", 'External id'],
  ])('hides “%s” below “%s”', (description, label) => expect(helpOf(description, [label])).toBeUndefined());
  it.each([
    ['The issue date. Not in the future.', 'Issue date', 'Not in the future.'],
    ['The number of shares. Default: all.', 'Shares', 'Default: all.'],
    ['For `capped`: the maximum payment.', 'Cap', 'For capped: the maximum payment.'],
  ])('keeps what “%s” adds to “%s”', (description, label, kept) => expect(helpOf(description, [label])).toBe(kept));
  it('has nothing without a description', () => expect(helpOf(undefined, ['Shares'])).toBeUndefined());
});
