/** Reading is what a person states about the cells of a spreadsheet. An empty text states nothing. */
export type Reading = {
  numberFormat?: string;
  dateFormat?: string;
  issueDate?: string;
  sheet?: string;
  encoding?: string;
};

const ofMembers = ['dateFormat', 'sheet', 'encoding'];

/** Returns the parameters of a request that states the reading. Members have neither numbers nor issue dates. */
export const readingQuery = (reading: Reading, kind: string): [string, string][] =>
  Object.entries(reading).filter(
    ([name, value]) => value !== undefined && value !== '' && (kind !== 'members' || ofMembers.includes(name)),
  ) as [string, string][];
