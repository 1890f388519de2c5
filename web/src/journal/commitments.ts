/**
 * The form of an event that its hash covers: private fields are replaced by salted commitments, so that an event can be
 * verified without them.
 */

type Field = readonly [object: string, field: string];

const memberTerms = (object: string): Field[] => [
  [object, 'title'],
  [object, 'comments'],
  [object, 'terminationReason'],
];

/** The private fields by the type of the event, as the server defines them. */
const privateFields: Record<string, Field[]> = {
  memberAdded: [...memberTerms('member'), ['source', 'object']],
  memberChanged: memberTerms('terms'),
  memberReturned: memberTerms('terms'),
  fileStored: [['', 'name']],
  folderCreated: [
    ['', 'name'],
    ['outside', 'name'],
  ],
  documentAdded: [
    ['', 'name'],
    ['outside', 'name'],
  ],
  documentMoved: [
    ['', 'name'],
    ['outside', 'name'],
  ],
  documentVersioned: [['outside', 'name']],
  documentDeleted: [['outside', 'name']],
  fileErased: [['', 'reason']],
};

/** Returns the end of the JSON value that begins at a position. */
function endOf(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter === '\\') at++;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') {
      if (depth === 0) return at;
      depth--;
    } else if (letter === ',' && depth === 0) return at;
  }
  return text.length;
}

/** Returns the fields of a JSON object in their order, each value as it is written. */
export function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 1; at < text.length - 1; ) {
    const colon = text.indexOf('":', at);
    const end = endOf(text, colon + 2);
    fields.set(text.slice(at + 1, colon), text.slice(colon + 2, end));
    at = end + 1;
  }
  return fields;
}

const written = (fields: Map<string, string>) =>
  `{${Array.from(fields, ([name, value]) => `"${name}":${value}`).join(',')}}`;

async function commitmentOf(salt: string, [object, field]: Field, value: string): Promise<string> {
  const bytes = new TextEncoder().encode([salt, object, field, value].join('\0'));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `{"sha256":"${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}"}`;
}

/** Reports whether events of a type have private fields. */
export const hasPrivateFields = (type: string): boolean => Object.hasOwn(privateFields, type);

/** Returns the data of an event as its hash covers it; undefined if a field is not in its unique form, such as twice. */
export async function coveredData(type: string, data: string): Promise<string | undefined> {
  const places = hasPrivateFields(type) ? privateFields[type] : undefined;
  if (!places || !data.includes('"salt":"')) return data;
  const fields = fieldsOf(data);
  if (written(fields) !== data) return undefined;
  const salt = fields.get('salt') ?? '';
  fields.delete('salt');
  for (const place of places) {
    const [object, field] = place;
    const part = fields.get(object) ?? '{}';
    const parent = object === '' ? fields : fieldsOf(part);
    if (object !== '' && written(parent) !== part) return undefined;
    const value = parent.get(field);
    if (value === undefined) continue;
    parent.set(field, await commitmentOf(salt, place, value));
    if (object !== '') fields.set(object, written(parent));
  }
  return written(fields);
}
