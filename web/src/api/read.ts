import { readProblem } from './problem';

/** Values are the parameters of a path or of a query. Undefined ones are left out. */
type Values = { [name: string]: unknown };

/** Returns a path of the contract with its parameters in place. */
export const filled = (path: string, values: Values = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')));

/** Reads the JSON at a path that only the caller knows. Reads with a fixed path use the typed client. */
export async function readJson(path: string, query: Values, signal: AbortSignal) {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  const response = await fetch(`/v1${path}${search && `?${search}`}`, { signal });
  if (!response.ok) throw await readProblem(response);
  return { body: await response.json(), tag: response.headers.get('ETag') ?? undefined };
}
