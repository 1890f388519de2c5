/** The options of a drawn grant. */
export const sample = '48000';

/** Returns the same day some years earlier, and 28 February for a leap day. */
export const yearsBefore = (date: string, years: number): string =>
  `${(BigInt(date.slice(0, 4)) - BigInt(years)).toString()}${date.slice(4)}`.replace(/-02-29$/, '-02-28');
