// Writes src/api/operations.gen.json: for each operation of the contract that changes something, the facts that forms need:
// method, path, headers, and the fields of its body.
import fs from 'node:fs';
import { parse } from 'yaml';

const contract = parse(fs.readFileSync(new URL('../../http/openapi.yaml', import.meta.url), 'utf8'));

const lookup = (ref) =>
  ref
    .slice(2)
    .split('/')
    .reduce((value, key) => value[key], contract);

// resolve follows references and merges allOf. The named schemas on the way decide the kind of a field.
function resolve(schema, names = []) {
  if (schema.$ref) {
    const name = schema.$ref.split('/').pop();
    return resolve(lookup(schema.$ref), [...names, name]);
  }
  if (schema.allOf) {
    const { allOf, ...own } = schema;
    let merged = { ...own };
    for (const part of allOf) {
      const found = resolve(part, names);
      names = found.names;
      merged = { ...found.schema, ...merged };
    }
    return { schema: merged, names };
  }
  return { schema, names: [...names, ...(schema['x-schema'] ?? [])] };
}

const byName = {
  Price: 'price',
  Money: 'money',
  MoneyInput: 'money',
  AmountInput: 'amount',
  Quantity: 'quantity',
  AuthorizedShares: 'authorized',
  Amount: 'amount',
  Decimal: 'decimal',
  Fraction: 'fraction',
  Percent: 'fraction',
  Rate: 'fraction',
  Date: 'date',
  Moment: 'moment',
  Id: 'id',
  Email: 'email',
  Reason: 'long',
  Text: 'long',
  Address: 'address',
  Country: 'text',
  Comments: 'comments',
  Currency: 'currency',
  HolderRef: 'holder',
};

function kind(schema, names) {
  for (const name of names) if (byName[name]) return byName[name];
  if (schema.enum) return 'enum';
  if (schema.format === 'fraction' || schema.format === 'rate') return 'fraction';
  if (schema.format === 'decimal' || schema.format === 'quantity') return 'decimal';
  if (schema.format === 'uuid') return 'id';
  if (schema.type === 'boolean') return 'boolean';
  if (schema.type === 'integer' || schema.type === 'number') return 'integer';
  if (schema.type === 'array') return 'array';
  if (schema.type === 'object') return 'object';
  return 'text';
}

const deepest = 6;

function field(name, raw, required, depth) {
  const { schema, names } = resolve(raw);
  const made = { name, kind: kind(schema, names) };
  if (required) made.required = true;
  // The words for people, or else the description for clients. Those of the field win over those of its schema.
  const own = raw['x-help'] ?? (raw.description ? undefined : schema['x-help']);
  if (own !== undefined) made.help = own;
  else if (raw.description ?? schema.description) made.description = raw.description ?? schema.description;
  if (schema.enum && schema.type !== 'boolean') made.options = schema.enum;
  for (const key of ['maxLength']) if (schema[key] !== undefined) made[key] = schema[key];
  if (depth < deepest) {
    // Forms send amounts with their currency.
    const whole = made.kind === 'money' && schema.oneOf ? resolve(schema.oneOf[0]).schema : schema;
    if (['object', 'money', 'holder', 'address'].includes(made.kind) && whole.properties)
      made.fields = fields(whole, depth + 1);
    if (made.kind === 'array' && schema.items) made.item = field('item', schema.items, true, depth + 1);
  }
  return made;
}

function fields(schema, depth) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, raw]) => field(name, raw, required.has(name), depth));
}

const parameters = (list) => (list ?? []).map((parameter) => (parameter.$ref ? lookup(parameter.$ref) : parameter));

const operations = {};
for (const [path, item] of Object.entries(contract.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    if (!operation?.operationId || method === 'get') continue;
    const all = [...parameters(item.parameters), ...parameters(operation.parameters)];
    const body = operation.requestBody?.content?.['application/json']?.schema;
    if (operation.requestBody && !body) continue; // uploads have forms of their own
    const named = (name) => all.some((parameter) => parameter.name === name);
    operations[operation.operationId] = {
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      ...(named('Idempotency-Key') && { idempotent: true }),
      ...(named('If-Match') && { conditional: true }),
      ...(named('dryRun') && { preview: true }),
      fields: body ? fields(resolve(body).schema, 0) : [],
    };
  }
}
fs.writeFileSync(new URL('../src/api/operations.gen.json', import.meta.url), `${JSON.stringify(operations)}\n`);
