/** Returns a text in the form in which it is searched: lower case, without accents. */
export const searchable = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the words of a search. */
export const wordsOf = (text: string): string[] => searchable(text).split(/\s+/).filter(Boolean);

/** Returns the words that a searchable text does not contain. */
export const missing = (words: string[], text: string): string[] => words.filter((word) => !text.includes(word));
