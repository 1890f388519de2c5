/** Returns the locale if its figures are known, else English. Chromium may report names that are not valid, such as en-US@posix. */
export function supported(locale: string | undefined): string {
  try {
    return (locale && Intl.NumberFormat.supportedLocalesOf(locale)[0]) || 'en-US';
  } catch {
    return 'en-US';
  }
}

/** The locale of the reader's figures: grouping, decimal separator, and the place of a currency. Texts and dates are English. */
export const readerLocale = supported(globalThis.navigator?.language);

const formats = new Map<string, Intl.NumberFormat>();

/** Returns a format of figures. Digits are Latin in every locale, because inputs and exports have such digits. */
export function figureFormat(options: Intl.NumberFormatOptions, locale = readerLocale): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.NumberFormat(locale, { numberingSystem: 'latn', ...options });
  formats.set(key, known); // a format costs more than a hundred uses of it
  return known;
}

/** The separator of a kind in the figures of a locale; empty without one. */
export const separator = (kind: 'group' | 'decimal', format: Intl.NumberFormat): string =>
  format.formatToParts(-1234567890.5).find((part) => part.type === kind)?.value ?? '';
