import type { OperationId } from '~/api/client';
import type { FieldPath } from '~/api/fieldPath';
import type { Address } from '~/shell/address';
import type { Company, Permission } from '~/shell/company';
import type { Choice } from '~/ui/Select';
import type { Exercise } from './exerciseCost';
import type { RecordKind } from './records';

/** Body is the body of a request while its form is edited. */
export type Body = Record<string, unknown>;

/** StoredRecord is a record of the API whose kind is known only to its posting. */
// biome-ignore lint/suspicious/noExplicitAny: a posting knows the fields of its record
export type StoredRecord = Record<string, any>;

/** Context is the place of a posting: the company, the record that it changes, the state of the URL, and the edited body. */
export type Context = {
  company: Company;
  record: StoredRecord | undefined;
  today: string;
  address: Address;
  body?: Body;
  /** The records to choose from, by the name of the field, if they do not exist yet. */
  references?: Record<string, Choice[]>;
  /** Whether the form is for a record that another form needs. */
  nested?: boolean;
};

/** FieldSpec is a field of a form: its path in the body ("consideration.cash"), and what differs from the contract. */
export type FieldSpec<Path extends string = string> = {
  name: Path;
  label?: string;
  help?: string;
  required?: boolean;
  /** Another control than that of the contract's type. */
  control?:
    | 'holder'
    | 'poolOfPlan'
    | 'planOfSchedule'
    | 'laterInstrument'
    | 'vestingPattern'
    | 'vestingTranches'
    | 'rolesOfHolder'
    | 'long';
  choices?: (context: Context) => Choice[];
  /** An amount in the currency of the company, also if the principal of the record has another one. */
  inCompanyCurrency?: true;
  /** The field appears only if this is true. */
  when?: (body: Body, context: Context) => boolean;
};

/** OfForm is a field that the form needs for the path or for other fields. The body of the operation has none with its name. */
export type OfForm = FieldSpec & { ofForm: true };

/** Posting is a change that a user can make: one operation of the contract with its form, its words and its reverse. */
export type Posting<Path extends string = string> = {
  operation: OperationId;
  title: string;
  /** The words of the command palette. */
  keywords?: string;
  permission?: Permission;
  /** Offered to the holder of the record, and to users with this permission: 'nobody' if only the holder may do it. */
  holderOr?: Permission | 'nobody';
  /** The kind of the changed record, whose ETag is sent as If-Match; absent if the operation creates a record. */
  record?: RecordKind;
  /** Whether the operation is offered for the record in its present state. */
  applies?: (record: StoredRecord, company: Company) => boolean;
  /** Whether the form can be opened in this state of the URL; always if absent. */
  offered?: (context: Pick<Context, 'address'>) => boolean;
  fields: readonly (Path | FieldSpec<Path> | OfForm)[];
  /** The words of terms that the form sends but does not edit, such as those of a model. They stand before the fields in the preview. */
  stated?: readonly FieldSpec<Path>[];
  /** The exercise that the form states, whose cost it shows. */
  exercise?: (body: Body, context: Context) => Exercise;
  initial?: (context: Context) => Body;
  /** The body to send, if it differs from the edited one. */
  complete?: (body: Body, context: Context) => Body;
  /** Returns the pointer to the field of the form for a fault of the sent body, if they differ. */
  pointer?: (sent: string) => string;
  /** The path parameters beside the organization and the record. */
  path?: (context: Context) => Record<string, string>;
  /** The label of the button, such as "Issue 25,000 shares". */
  action: (body: Body, context: Context) => string;
  /** The title of the message after success. */
  done: (answer: StoredRecord, body: Body) => string;
  /** The record that the message links to: a page of the company, its tab, and the opened record. */
  link?: (answer: StoredRecord, body: Body) => { page: string; open?: string; tab?: string } | undefined;
  /** Whether the linked record is shown after success. */
  opens?: boolean;
  /** The posting that reverses this one, and its record. */
  reverse?: (answer: StoredRecord) => { posting: string; record: string; label: string } | undefined;
  danger?: boolean;
  /** The text to type before an irreversible change. */
  confirm?: (context: Context) => string;
};

/** Returns the posting. Its fields are those of the operation: the compiler refuses a name that the body does not have. */
export const posting = <Id extends OperationId>(form: Posting<FieldPath<Id>> & { operation: Id }): Posting => form;
