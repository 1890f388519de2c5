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

const members: Record<string, Field[]> = {
  memberAdded: [...memberTerms('member'), ['source', 'object']],
  memberChanged: memberTerms('terms'),
  memberReturned: memberTerms('terms'),
};

/** The private fields by the type of the event in the first version. Their salts have no prefix. */
const firstFields: Record<string, Field[]> = {
  ...members,
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

const inDataRoom = ['access', 'document', 'file', 'id', 'name', 'outside', 'parent', 'reason', 'sha256', 'source'].map(
  (field): Field => ['', field],
);
const webhook: Field[] = [
  ['terms', 'url'],
  ['terms', 'description'],
];
const folderOfDrive: Field[] = [
  ['terms', 'driveFolderId'],
  ['terms', 'driveFolderName'],
  ['terms', 'targetDataRoomPath'],
];

/** The private fields by the type of the event in the second version, as the server defines them. Their salts begin with "v2:". */
const secondFields: Record<string, Field[]> = {
  ...members,
  fileStored: inDataRoom,
  fileScanned: inDataRoom,
  fileErased: inDataRoom,
  folderCreated: inDataRoom,
  documentAdded: inDataRoom,
  documentMoved: inDataRoom,
  documentVersioned: inDataRoom,
  documentDeleted: inDataRoom,
  documentRestored: inDataRoom,
  accessChanged: inDataRoom,
  shareCreated: inDataRoom,
  shareRevoked: inDataRoom,
  webhookCreated: webhook,
  webhookChanged: webhook,
  syncConfigured: folderOfDrive,
  syncChanged: folderOfDrive,
  organizationCreated: [['profile', 'logo']],
  organizationChanged: [['profile', 'logo']],
  planCreated: [['terms', 'documents']],
  planChanged: [['terms', 'documents']],
  valuationCreated: [['terms', 'document']],
  valuationChanged: [['terms', 'document']],
  optionGranted: [['', 'agreement']],
  optionCorrected: [['', 'agreement']],
  optionAmended: [['details', 'agreement']],
  configurationChanged: [['', 'operatingAgreement']],
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
export const hasPrivateFields = (type: string): boolean => Object.hasOwn(secondFields, type);

/** Returns the data of an event as its hash covers it; undefined if a field is not in its unique form, such as twice. */
export async function coveredData(type: string, data: string): Promise<string | undefined> {
  if (!data.includes('"salt":"')) return data;
  const fields = fieldsOf(data);
  const salt = fields.get('salt');
  if (salt === undefined) return data;
  const version = salt.startsWith('"v2:') ? secondFields : firstFields;
  const places = Object.hasOwn(version, type) ? version[type] : undefined;
  if (!places) return data;
  if (written(fields) !== data) return undefined;
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
