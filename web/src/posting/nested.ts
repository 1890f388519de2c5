import { type ComponentType, createContext, useContext } from 'react';
import type { ControlProps } from './Control';
import type { FormProps } from './PostingForm';

/** The control of a field inside a group or a row. Forms provide it, so that these do not import the controls that contain them. */
export const NestedControl = createContext<ComponentType<ControlProps> | undefined>(undefined);

/** The form of a record that a field refers to; `undefined` where no other form opens over the fields. */
export const NestedForm = createContext<ComponentType<FormProps> | undefined>(undefined);

/** Returns the control of the form around it. */
export function useNestedControl(): ComponentType<ControlProps> {
  const control = useContext(NestedControl);
  if (!control) throw new Error('a group of fields needs a form around it');
  return control;
}
