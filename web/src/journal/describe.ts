import { words } from '~/format/words';
import { type Data, Facts, type Names } from './facts';
import { companySentences, documentSentences } from './sentences/company';
import { grantSentences } from './sentences/grants';
import { instrumentSentences } from './sentences/instruments';
import { shareSentences } from './sentences/shares';

/** Sentences holds the sentence of each type of event. */
export type Sentences = Record<string, (facts: Facts) => string>;

/** The sentences of all types of events. */
export const sentences: Sentences = {
  ...shareSentences,
  ...grantSentences,
  ...instrumentSentences,
  ...companySentences,
  ...documentSentences,
};

const nobody: Names = new Map();

/**
 * Returns an event as a sentence without its author, such as "Issued 1,000 shares of Common Stock to Ada (CS-4)". Prices are in the currency
 * of the company if they state none.
 */
export function describe(type: string, data: Data, names: Names = nobody, currency?: string): string {
  const text = sentences[type]?.(new Facts(data, names, currency)) ?? words(type);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the day on which an event has its effect; undefined for events without one. */
export function effectiveDay(data: Data): string | undefined {
  const facts = new Facts(data, nobody);
  const places = ['issueDate', 'date', 'effectiveDate', 'taking.date', 'request.date', 'terms.effectiveDate'];
  return places.map((place) => facts.text(place)).find(Boolean);
}
