import { expect, describe as group, it } from 'vitest';
import { describe, effectiveDay, sentences } from './describe';
import types from './events.json';
import { namesWith } from './names';
import { placeOf, placeOfEvent } from './places';

const names = new Map([
  ['e1', 'Ada Lindqvist'],
  ['s1', 'Common Stock'],
]);

group('sentences of the journal', () => {
  it.each(types)('describe %s', (type) => {
    expect(sentences[type], 'add a sentence for the event').toBeDefined();
    const text = describe(type, {});
    expect(text).toMatch(/^[A-Z]/);
    expect(text).not.toMatch(/undefined| {2}|\(\)|[ ,]$/);
  });
  it('describe no events that do not exist', () => {
    expect(Object.keys(sentences).filter((type) => !types.includes(type))).toEqual([]);
  });
  it('name holders, classes and certificates', () => {
    const issue = { entity: 'e1', security: 's1', shares: '1100000', certificate: 'CS-1', issueDate: '2019-03-04' };
    expect(describe('shareholdingIssued', issue, names)).toBe(
      'Issued 1,100,000 shares of Common Stock to Ada Lindqvist (CS-1)',
    );
    expect(effectiveDay(issue)).toBe('2019-03-04');
  });
  it('name the holder in the register before the printed name', () => {
    const issue = { entity: 'e1', security: 's1', shares: '5', certificate: 'CS-1', shareholderName: 'Grace Hopper' };
    expect(describe('shareholdingIssued', issue, names)).toBe(
      'Issued 5 shares of Common Stock to Ada Lindqvist (on the certificate: Grace Hopper) (CS-1)',
    );
  });
  it('state prices in the currency of the company, and repayments in that of the debt', () => {
    const price = { id: 'o1', exercisePrice: '11' };
    expect(describe('optionRepriced', price, names, 'USD')).toBe('Repriced a grant to $11.00');
    const foreign = { ...price, exercisePrice: { amount: '11', currency: 'EUR' } };
    expect(describe('optionRepriced', foreign, names, 'USD')).toBe('Repriced a grant to €11.00');
    const issued = { id: 'n1', kind: 'convertibleNote', principal: { amount: '5000', currency: 'EUR' } };
    const known = namesWith(names, [{ type: 'holdingIssued', data: issued }]);
    const repaid = { id: 'n1', amount: '11' };
    expect(describe('holdingRepaid', repaid, known, 'USD')).toBe('Repaid €11.00 of the note');
    expect(describe('holdingRepaid', repaid, names, 'USD')).toBe('Repaid 11 of a convertible or warrant');
  });
  it('name records after the entries that created them', () => {
    const entries = [
      { type: 'shareholdingVoided', data: { id: 'h1' } },
      { type: 'shareholdingIssued', data: { id: 'h1', certificate: 'CS-9' } },
      { type: 'optionGranted', data: { id: 'o1', entity: 'e1', quantity: '48000' } },
    ];
    const known = namesWith(names, entries);
    expect(describe('shareholdingVoided', { id: 'h1' }, known)).toBe('Voided CS-9');
    expect(describe('optionAccepted', { id: 'o1' }, known)).toBe(
      'The grant of 48,000 options to Ada Lindqvist was accepted',
    );
  });
});

group('places of records', () => {
  it('open records on their pages', () => {
    expect(placeOf('shareholding', 'x')).toEqual({ page: 'shares', search: { open: 'x' } });
    expect(placeOf('holding', 'x', 'optionGranted')?.page).toBe('grants');
    expect(placeOf('holding', 'x', 'holdingIssued')?.page).toBe('convertibles');
    expect(placeOf('file', 'x')).toBeUndefined();
  });
  it('open the records of events', () => {
    expect(placeOfEvent('shareholdingTransferred', { from: ['a'], results: [{ id: 'b' }] })?.search.open).toBe('b');
    expect(placeOfEvent('documentAdded', { id: 'd', parent: 'f' })).toEqual({
      page: 'documents',
      search: { open: 'd', folder: 'f' },
    });
    expect(placeOfEvent('paymentFailed', {})).toBeUndefined();
  });
});
