import { afterEach, describe, expect, it, vi } from 'vitest';
import { isDecimal, scaled } from '~/decimal/decimal';
import { figureFormat, supported } from './locale';
import { decimalOf, isAmbiguous, notationOf, refused } from './typed';

const locales = [
  'en-US', 'en-IN', 'en-ZA', 'de-DE', 'de-AT', 'de-CH', 'it-CH', 'fr-FR', 'fr-CH', 'es-ES', 'es-MX', 'pt-BR', 'pt-PT', 'pl-PL',
  'sv-SE', 'nb-NO', 'da-DK', 'fi-FI', 'et-EE', 'sl-SI', 'hu-HU', 'ru-RU', 'uk-UA', 'bg-BG', 'tr-TR', 'ar-EG', 'fa-IR', 'he-IL',
  'hi-IN', 'bn-BD', 'ta-IN', 'my-MM', 'th-TH', 'ja-JP', 'zh-CN', 'ko-KR',
]; // biome-ignore format: a table

/** Numbers of all lengths, with and without decimals and sign, the same in each run. */
const numbers = Array.from({ length: 400 }, (_, seed) => {
  const digits = BigInt(seed + 1) ** 9n * 7919n;
  const whole = digits.toString().slice(0, 1 + (seed % 19));
  const fraction = digits
    .toString()
    .split('')
    .reverse()
    .join('')
    .slice(0, seed % 11)
    .replace(/0+$/, '');
  return `${seed % 5 === 0 ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}).concat('0', '0.5', '0.001', '1000', '1234', '1.234', '1234.567', '999999.999');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('typed numbers', () => {
  it.each(locales)('are read as they are displayed in %s', (locale) => {
    const format = figureFormat({ maximumFractionDigits: 10 }, locale);
    const notation = notationOf(locale);
    for (const number of numbers)
      expect(decimalOf(format.format(number as Intl.StringNumericLiteral), notation), number).toBe(number);
  });
  it.each(locales)('in the form of the contract are never read as other numbers in %s', (locale) => {
    const notation = notationOf(locale);
    for (const number of numbers) {
      const read = decimalOf(number, notation);
      if (isAmbiguous(number, notation)) continue; // refused when pasted
      expect(read === undefined || scaled(read) === scaled(number), `${number} as ${read}`).toBe(true);
    }
  });
  it.each([
    ['en-US', '1,234.5', '1234.5'],
    ['en-US', '1 234', '1234'],
    ['en-US', '1_000_000', '1000000'],
    ['en-US', '1,5', undefined],
    ['en-US', '1,2345', undefined],
    ['en-US', '1,234,56', undefined],
    ['en-US', '0,125', undefined],
    ['en-US', '1.234,5', undefined],
    ['de-DE', '1.234', '1234'],
    ['de-DE', '1,234', '1.234'],
    ['de-DE', '1.234,5', '1234.5'],
    ['de-DE', '1234.56', undefined],
    ['de-DE', '1.2', undefined],
    ['de-DE', '0.125', undefined],
    ['de-DE', '1,234,567', undefined],
    ['de-AT', '1.234', '1234'],
    ['de-CH', "1'234.5", '1234.5'],
    ['de-CH', '1’234.5', '1234.5'],
    ['de-CH', '1,5', undefined],
    ['fr-FR', '1 234,5', '1234.5'],
    ['fr-FR', '1234.5', '1234.5'],
    ['fr-FR', '1,234.5', undefined],
    ['sv-SE', '−1,5', '-1.5'],
    ['en-IN', '12,34,567', '1234567'],
    ['en-IN', '12,34,56', undefined],
  ])('in %s: %s is %s', (locale, text, value) => expect(decimalOf(text, notationOf(locale))).toBe(value));
  it('are not pasted if their point has two meanings', () => {
    expect(isAmbiguous('1.234', notationOf('de-DE'))).toBe(true);
    expect(isAmbiguous(' 12.345 ', notationOf('es-ES'))).toBe(true);
    expect(['1234.56', '1.234.567', '1,234'].some((text) => isAmbiguous(text, notationOf('de-DE')))).toBe(false);
    expect(isAmbiguous('1.234', notationOf('en-US'))).toBe(false);
    expect(isAmbiguous('1.234', notationOf('fr-FR'))).toBe(false);
  });
  it('that are refused are no numbers elsewhere', () => {
    for (const text of ['1234.56', '1,5', '1|5']) {
      expect(isDecimal(refused(text))).toBe(false);
      expect(refused(text)).not.toMatch(/[,|]/);
    }
    expect(refused('unlimited')).toBe('unlimited');
  });
});

describe('figures of a German reader', () => {
  it('have the separators and the currency of the locale, and English units', async () => {
    vi.stubGlobal('navigator', { language: 'de-DE' });
    vi.resetModules();
    const { exactPercent, money, percent, quantity, shortMoney, size } = await import('./figures');
    const { day } = await import('./dates');
    const { counted } = await import('./words');
    expect(quantity('12345678901234567890.5')).toBe('12.345.678.901.234.567.890,5');
    expect(money('1234.5', 'EUR')).toBe('1.234,50\u00a0€');
    expect(percent('0.0000000001')).toBe('<0,0001\u00a0%');
    expect(exactPercent('0.125')).toBe('12,5\u00a0%');
    expect(shortMoney('335100000', 'USD')).toBe('$335,1M');
    expect(size(1_400_000)).toBe('1,4 MB');
    expect(counted(1200, 'holder')).toBe('1.200 holders');
    expect(day('2021-09-01')).toBe('01 Sep 2021');
  });
});

describe('the locale', () => {
  it('is English if that of the browser is unknown or invalid', () => {
    expect(supported('de-DE')).toBe('de-DE');
    expect([supported('en-US@posix'), supported('xx-XX'), supported(undefined)]).toEqual(['en-US', 'en-US', 'en-US']);
  });
});
