/** Place is a page of a company with the state that its URL holds. */
export type Place = { page: string; search: Record<string, string> };

const pages: Record<string, string> = {
  shareholding: 'shares',
  security: 'classes',
  legend: 'classes',
  valuation: 'valuations',
  capitalChange: 'capital',
  plan: 'plans',
  option: 'grants',
  holding: 'convertibles',
  vestingSchedule: 'schedules',
  block: 'rounds',
  member: 'stakeholders',
  role: 'roles',
  document: 'documents',
  webhook: 'settings',
  organization: 'settings',
  shareholdingConfig: 'settings',
};

/** Kinds whose pages open no single record. */
const whole = new Set(['organization', 'shareholdingConfig', 'webhook', 'role', 'legend']);

/**
 * Returns the page of a record; undefined if the kind has none. The journal counts grants as holdings: the type of an event
 * about the record tells them apart.
 */
export function placeOf(kind: string, id: string, type = ''): Place | undefined {
  const known = kind === 'holding' && type.startsWith('option') ? 'option' : kind;
  const page = pages[known];
  if (!page) return undefined;
  const search: Record<string, string> = whole.has(known) ? {} : { open: id };
  return { page, search: known === 'block' ? { tab: 'closed', ...search } : search };
}

/** The kind of the record of an event, by the beginning of its type. */
const kinds = [
  ['shareholding', 'shareholding'],
  ['securit', 'security'],
  ['sharesAuthorized', 'security'],
  ['legend', 'legend'],
  ['valuation', 'valuation'],
  ['capitalChange', 'capitalChange'],
  ['plan', 'plan'],
  ['poolAdjusted', 'plan'],
  ['option', 'option'],
  ['holding', 'holding'],
  ['vestingSchedule', 'vestingSchedule'],
  ['block', 'block'],
  ['member', 'member'],
  ['invitation', 'member'],
  ['role', 'role'],
  ['folderCreated', 'document'],
  ['document', 'document'],
  ['accessChanged', 'document'],
  ['webhook', 'webhook'],
  ['organization', 'organization'],
  ['configurationChanged', 'shareholdingConfig'],
] as const;

type Content = { [field: string]: unknown };

/** Returns the page of the record that an event of the journal is about; undefined for events without one. */
export function placeOfEvent(type: string, data: Content): Place | undefined {
  const kind = kinds.find(([prefix]) => type.startsWith(prefix))?.[1];
  if (!kind) return undefined;
  const first = (list: unknown) => (Array.isArray(list) ? list[0] : undefined);
  const result = first(data.results) as Content | undefined;
  const id = data.id ?? data.plan ?? result?.id ?? first(data.from) ?? (data.member as Content | undefined)?.id;
  const place = placeOf(kind, typeof id === 'string' ? id : '');
  if (!place || (place.search.open === '' && delete place.search.open)) return place;
  // An item of the data room opens within its folder.
  if (kind === 'document' && typeof data.parent === 'string') place.search.folder = data.parent;
  return place;
}

/** Returns the place of an entry of the journal. */
export const placeOfEntry = (sequence: number): Place => ({
  page: 'activity',
  search: { entry: sequence.toString() },
});
