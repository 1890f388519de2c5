import type { Schema } from '~/api/client';
import { isDecimal } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { exactPercent, money, quantity } from '~/format/figures';
import { words } from '~/format/words';
import { currencyOf } from './catalog/figures';
import { type ContractField, labelOf, operationOf } from './contract';
import type { Body, Context, FieldSpec, Posting } from './posting';

type Detail = Schema<'PreviewDetail'>;

/** Fields that name the place of a change or its confirmation, not a term of it. */
const placing = new Set(['organization', 'confirm']);

/** The parts of a holder, which is one term. */
const ofHolder = new Set(['entity', 'member']);

/** Marks of arguments that a person may not expect in a form. Amounts and prices were typed in it. */
const unexpected = new Set<Detail['mark']>(['address', 'role', 'permission', 'recipient']);

const partsOf = (pointer: string) =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Characters that a reader cannot see. The server quotes and escapes them. */
const invisible = /[^\P{C}\n\t]/u;

const isIndex = (part: string) => /^[0-9]+$/.test(part);

function at(body: unknown, parts: string[]): unknown {
  return parts.reduce<unknown>((value, part) => (value as Body | undefined)?.[part], body);
}

/** Returns the fields of the contract on the way to an argument. A row of a list has the field of its item. */
function fieldsTo(all: ContractField[], parts: string[]): (ContractField | undefined)[] {
  const way: (ContractField | undefined)[] = [];
  let last: ContractField | undefined;
  for (const part of parts) {
    const fields: ContractField[] | undefined = way.length === 0 ? all : last?.fields;
    last = isIndex(part) && last?.item ? last.item : fields?.find((field) => field.name === part);
    way.push(last);
  }
  return way;
}

/** Returns the arguments of a preview as the terms of its form: in its order, with its labels, and in the form of the reader. */
export function termsOf(
  details: Detail[],
  posting: Posting,
  shown: FieldSpec[],
  context: Context,
  sent: Body,
): Detail[] {
  const { fields } = operationOf(posting.operation);
  const hidden = posting.fields.map((field) => (typeof field === 'string' ? { name: field } : field));
  const specs = [...(posting.stated ?? []), ...shown, ...hidden];
  const terms: (Detail & { order: number })[] = [];
  for (const detail of details) {
    const parts = partsOf(detail.pointer);
    const last = parts.at(-1) ?? '';
    if (/^\/(?:path|query)\//.test(detail.pointer) || placing.has(parts[0] ?? '') || last === 'id') continue;
    const amount = at(sent, parts.slice(0, -1)) as Body | undefined;
    const isMoney = typeof amount?.amount === 'string' && typeof amount.currency === 'string';
    if (isMoney && last === 'currency') continue;
    const own = isMoney && last === 'amount' ? parts.slice(0, -1) : parts;
    const place = own.length > 1 && ofHolder.has(own.at(-1) ?? '') ? own.slice(0, -1) : own;
    const order = specs.findIndex((spec) => spec.name.split('.').every((part, index) => part === place[index]));
    const spec = specs[order];
    const way = fieldsTo(fields, parts);
    terms.push({
      pointer: detail.pointer,
      label: labelAt(place, spec, way, sent),
      value: textOf(
        detail,
        at(sent, parts),
        spec,
        way.at(-1),
        context,
        sent,
        isMoney ? String(amount.currency) : undefined,
      ),
      ...(unexpected.has(detail.mark) && { mark: detail.mark }),
      order: order < 0 ? specs.length : order,
    });
  }
  return terms.toSorted((a, b) => a.order - b.order).map(({ order, ...term }) => term);
}

/** Reports whether a value is a list of objects, whose name says no more than those of their parts. */
const isRows = (value: unknown) => Array.isArray(value) && typeof value[0] === 'object';

/** Returns the label of a term: that of its field, then those of the parts. The rows of a list are numbered if it has several. */
function labelAt(place: string[], spec: FieldSpec | undefined, way: (ContractField | undefined)[], sent: Body): string {
  const depth = spec ? spec.name.split('.').length : 1;
  const nameAt = (index: number) => labelOf(way[index] ?? { name: place[index] ?? '', kind: '' });
  const texts = [spec?.label ?? nameAt(depth - 1)];
  for (let index = depth; index < place.length; index++) {
    const part = place[index] ?? '';
    const rows = at(sent, place.slice(0, index));
    if (Array.isArray(rows)) {
      if (rows.length > 1) texts.push(`${texts.pop()} ${BigInt(part) + 1n}`);
    } else if (!isRows(at(sent, place.slice(0, index + 1)))) texts.push(nameAt(index).toLowerCase());
  }
  return texts.join(': ');
}

function textOf(
  detail: Detail,
  value: unknown,
  spec: FieldSpec | undefined,
  field: ContractField | undefined,
  context: Context,
  sent: Body,
  ownCurrency: string | undefined,
): string {
  if (detail.kind === 'unknown') return 'Unknown record';
  if (detail.name) return detail.name;
  if (value === null) return 'Removed';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'object') return 'None';
  const text = String(value ?? detail.value);
  const chosen = spec?.choices?.(context).find((choice) => choice.value === text);
  if (chosen) return chosen.label;
  if (field?.options) return words(text);
  if (field?.kind === 'date') return day(text);
  if (!isDecimal(text) || typeof value !== 'string')
    return field?.kind === 'authorized' ? words(text) : invisible.test(text) ? detail.value : text;
  if (field?.kind === 'fraction') return exactPercent(text);
  if (ownCurrency || detail.mark === 'money' || detail.mark === 'price')
    return money(text, ownCurrency ?? (spec?.inCompanyCurrency ? context.company.currency : currencyOf(context, sent)));
  return ['quantity', 'authorized', 'decimal', 'amount'].includes(field?.kind ?? '') ? quantity(text) : text;
}
