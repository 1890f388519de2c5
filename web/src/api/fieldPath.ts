import type { OperationId } from './client';
import type { operations } from './schema';

/** The names of the fields of an object, or of each object of a union. */
type Names<T> = T extends unknown ? Extract<keyof T, string> : never;

/** The values of a field. */
type Value<T, Name> = T extends unknown ? (Name extends keyof T ? NonNullable<T[Name]> : never) : never;

/** The element of a list, or the value itself. */
type Element<T> = T extends readonly (infer One)[] ? NonNullable<One> : T;

type Paths<T> = { [Name in Names<T>]: Name | Inner<Name, Element<Value<T, Name>>> }[Names<T>];

/** Forms name fields of at most two levels. */
type Inner<Name extends string, T> = T extends object ? `${Name}.${Names<T>}` : never;

type Body<Id extends OperationId> = operations[Id] extends { requestBody?: infer Request }
  ? NonNullable<Request> extends { content: { 'application/json': infer Sent } }
    ? Sent
    : never
  : never;

/** FieldPath is the path of a field in the body of an operation, such as "consideration.cash", or "pools.name" in a list. */
export type FieldPath<Id extends OperationId> = Paths<Body<Id>>;
