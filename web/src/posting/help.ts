import { words } from '~/format/words';

/** Words of any description that tell a reader of a form nothing. */
const empty = new Set(
  'a an the of in on at for to by per from with and or is are its it this as number date kind name value price amount quantity shares share security entity whether effective payment change free text remarks free-text record calendar decimal resulting'.split(
    ' ',
  ),
);

/** Statements about the form of a request, which a form takes care of. */
const technical = /\bids?\b|UUID|decimal string|YYYY|\bclient's own\b|\bAnswers?\b|single line|which is returned/;

/** Returns a text with the words of the names in it: boardMember becomes "board member". */
const plain = (text: string) => text.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (name) => words(name).toLowerCase());

const stem = (word: string) => word.toLowerCase().replace(/(?:ation|ance|ment|ing|ed|es|s|d)$/, '');

const stems = (text: string) => (text.match(/[\w'-]+/g) ?? []).map((word) => stem(word.replace(/'s$/, '')));

const emptyStems = new Set([...empty].map(stem));

/**
 * Returns the part of a description that adds something to the labels around it. Sentences that repeat the label or
 * describe the form of the request are left out, and statuses of answers too.
 */
export function helpOf(description: string | undefined, labels: string[]): string | undefined {
  const known = new Set(labels.flatMap(stems));
  const kept = (description ?? '')
    .replaceAll('`', '')
    .replace(/ \(\d{3}\b[^)]*\)/g, '')
    .split(/(?<=[.!])\s+/)
    .filter((sentence) => !technical.test(sentence))
    .filter((sentence) => stems(sentence).some((word) => !known.has(word) && !emptyStems.has(word)));
  return plain(kept.join(' ')) || undefined;
}
