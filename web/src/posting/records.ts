import { queryOptions } from '@tanstack/react-query';
import { client } from '~/api/client';
import { filled, readJson } from '~/api/read';
import type { StoredRecord } from './posting';

/** The path of each kind of record that postings change, and the name of its parameter. */
const places = {
  shareholding: ['/shareholding/{holding}', 'holding'],
  security: ['/organization/{organization}/security/{security}', 'security'],
  legend: ['/organization/{organization}/legend/{legend}', 'legend'],
  plan: ['/plan/{plan}', 'plan'],
  option: ['/option/{option}', 'option'],
  vestingSchedule: ['/vestingSchedule/{vestingSchedule}', 'vestingSchedule'],
  holding: ['/holding/{holding}', 'holding'],
  block: ['/organization/{organization}/block/{block}', 'block'],
  valuation: ['/valuation/{valuation}', 'valuation'],
  member: ['/organization/{organization}/member/{member}', 'member'],
  role: ['/organization/{organization}/role/{role}', 'role'],
  organization: ['/organization/{organization}', 'organization'],
  shareholdingConfig: ['/organization/{organization}/shareholding/config', 'organization'],
  capitalChange: ['/organization/{organization}/capitalChange', 'capitalChange'],
} as const;

export type RecordKind = keyof typeof places;

/** The name of the path parameter of a kind of record. */
export const parameterOf = (kind: RecordKind): string => places[kind][1];

/** Finds a capital change in its list, because the contract reads none alone. */
async function capitalChange(organization: string, id: string, signal: AbortSignal): Promise<StoredRecord | undefined> {
  let cursor: string | undefined;
  do {
    const params = { path: { organization }, query: { limit: 200, cursor } };
    const { data } = await client.GET('/organization/{organization}/capitalChange', { params, signal });
    const found = data?.data.find((change) => change.id === id);
    if (found) return found;
    cursor = data?.nextCursor;
  } while (cursor);
  return undefined;
}

type Tagged = { record: StoredRecord | undefined; tag: string | undefined };

/** Reads a record with its ETag. */
export async function readRecord(
  kind: RecordKind,
  organization: string,
  id: string,
  signal: AbortSignal,
): Promise<Tagged> {
  if (kind === 'capitalChange') {
    const record = await capitalChange(organization, id, signal);
    return { record, tag: record && `"${record.version}"` };
  }
  const path = filled(places[kind][0], { organization, [places[kind][1]]: id });
  const { body, tag } = await readJson(path, {}, signal);
  return { record: { id, ...body }, tag };
}

/** Loads a record with its ETag, which every change of the record sends as If-Match. */
export const recordQuery = (kind: RecordKind, organization: string, id: string) =>
  queryOptions({
    queryKey: ['get', places[kind][0], { organization, id, tagged: true }],
    queryFn: ({ signal }) => readRecord(kind, organization, id, signal),
    staleTime: 0,
    gcTime: 0,
  });
