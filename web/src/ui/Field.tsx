import { type ReactNode, useId } from 'react';
import { Unbroken } from './Unbroken';

type Parts = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string };

type Props = {
  label: string;
  help?: ReactNode;
  error?: string;
  optional?: boolean;
  children: (parts: Parts) => ReactNode;
};

/** A labelled control with its help text and its error. The children receive the attributes of the control. */
export function Field({ label, help, error, optional, children }: Props) {
  const id = useId();
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1">
      <label id={`${id}-label`} htmlFor={id} className="flex items-baseline gap-2 font-medium">
        {label}
        {optional && <span className="text-xs font-normal text-ink-3">optional</span>}
      </label>
      {children({ id, ...(error && { 'aria-invalid': true }), ...(described && { 'aria-describedby': described }) })}
      {error && (
        <p id={`${id}-error`} className="text-xs text-neg" role="alert">
          <Unbroken text={error} />
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="text-xs text-ink-3">
          {help}
        </p>
      )}
    </div>
  );
}
