import type { OperationId } from '~/api/client';
import generated from '~/api/operations.gen.json';
import { words } from '~/format/words';

/** ContractField is a field of a body in the contract. */
export type ContractField = {
  name: string;
  kind: string;
  required?: boolean;
  /** The help text for people; empty for a field that needs none. */
  help?: string;
  /** The description for clients, if the contract has no help text. */
  description?: string;
  options?: string[];
  maxLength?: number;
  fields?: ContractField[];
  item?: ContractField;
};

/** ContractOperation is an operation of the contract that changes something. */
export type ContractOperation = {
  method: string;
  path: string;
  summary: string;
  idempotent?: boolean;
  conditional?: boolean;
  preview?: boolean;
  fields: ContractField[];
};

const operations: Record<string, ContractOperation | undefined> = generated;

/** Returns an operation of the contract. */
export function operationOf(id: OperationId): ContractOperation {
  const operation = operations[id];
  if (!operation) throw new Error(`the contract has no form for ${id}`);
  return operation;
}

/** Returns the field at a path such as "consideration.cash", or "pools.name" in a list; undefined if the contract has none. */
export function fieldAt(operation: ContractOperation, path: string): ContractField | undefined {
  let fields: ContractField[] | undefined = operation.fields;
  let found: ContractField | undefined;
  for (const name of path.split('.')) {
    found = fields?.find((field) => field.name === name);
    fields = found?.fields ?? found?.item?.fields;
  }
  return found;
}

/** Returns the label of a field without a specification. A fraction is typed in percent. */
export const labelOf = ({ name, kind }: Pick<ContractField, 'name' | 'kind'>): string =>
  name === 'fraction' && kind === 'fraction' ? 'Percentage' : words(name);
