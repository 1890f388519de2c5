/** Returns the whole number of a text, such as a page or a sequence; undefined if it is none. */
export function count(text: string): number | undefined {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Returns the byte of two hexadecimal digits. */
export const byteOf = (digits: string): number => Number.parseInt(digits, 16);
