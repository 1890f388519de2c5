import type { ComponentPropsWithRef } from 'react';

/** A text input with the height of all controls. */
export const Input = ({ className = '', ...rest }: ComponentPropsWithRef<'input'>) => (
  <input autoComplete="off" {...rest} className={`field ${className}`} />
);

/** A text area for reasons, notes and comments. */
export const TextArea = ({ className = '', ...rest }: ComponentPropsWithRef<'textarea'>) => (
  <textarea rows={3} {...rest} className={`field h-auto! py-1.5 ${className}`} />
);
