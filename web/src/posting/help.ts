import { words } from '~/format/words';
import type { ContractField } from './contract';
import type { FieldSpec } from './posting';

/** Words of any description that tell a reader of a form nothing. */
const empty = new Set(
  'a an the of in on at for to by per from with and or is are its it this as number date kind name value price amount quantity shares share security entity whether effective payment change free text remarks free-text record calendar decimal resulting'.split(
    ' ',
  ),
);

/** Statements about the form of a request, which a form takes care of. */
const technical = /\bids?\b|UUID|decimal string|YYYY|\bclient's own\b|\bAnswers?\b|single line|which is returned/;

const stem = (word: string) => word.toLowerCase().replace(/(?:ation|ance|ment|ing|ed|es|s|d)$/, '');

const stems = (text: string) => (text.match(/[\w'-]+/g) ?? []).map((word) => stem(word.replace(/'s$/, '')));

const emptyStems = new Set([...empty].map(stem));

/** Returns the help text of a field in a form: that of the form, that of the contract, or what the description adds. */
export function helpFor(spec: FieldSpec, contract: ContractField | undefined, label: string, title: string) {
  const help = spec.help ?? contract?.help;
  return help === undefined
    ? helpOf(contract?.description, [label, spec.name, words(spec.name), title])
    : help || undefined;
}

/**
 * Returns the part of a description that adds something to the labels around it. Sentences that repeat the label or
 * describe the form of the request are left out.
 */
export function helpOf(description: string | undefined, labels: string[]): string | undefined {
  const known = new Set(labels.flatMap(stems));
  const kept = (description ?? '')
    .replaceAll('`', '')
    .split(/(?<=[.!])\s+/)
    .filter((sentence) => !technical.test(sentence))
    .filter((sentence) => stems(sentence).some((word) => !known.has(word) && !emptyStems.has(word)));
  return kept.join(' ') || undefined;
}
