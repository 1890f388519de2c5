import type { ComponentPropsWithRef } from 'react';

type Look = 'primary' | 'outline' | 'ghost' | 'danger';

const looks: Record<Look, string> = {
  primary: 'btn btn-primary',
  outline: 'btn btn-outline',
  ghost: 'btn btn-ghost',
  danger: 'btn btn-danger',
};

/** A button. It never submits a form unless `type` is "submit". */
export function Button({
  look = 'outline',
  className = '',
  ...rest
}: ComponentPropsWithRef<'button'> & { look?: Look }) {
  return <button type="button" {...rest} className={`${looks[look]} ${className}`} />;
}

/** A square button with an icon only; `label` is its accessible name and its tooltip. */
export function IconButton({ label, className = '', ...rest }: ComponentPropsWithRef<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`grid size-8 shrink-0 print:hidden place-items-center rounded-[7px] text-ink-2 hover:bg-hover hover:text-ink ${className}`}
    />
  );
}
