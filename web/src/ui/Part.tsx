import { type ReactNode, useId } from 'react';

type Props = {
  title: string;
  /** What the part is for, in a sentence or two. */
  help?: ReactNode;
  actions?: ReactNode;
  /** Content of the full width, such as a table, below the heading and the help. */
  wide?: boolean;
  children?: ReactNode;
};

/** A part of a page of settings or steps: its heading and its purpose at the side, its content beside them. */
export function Part({ title, help, actions, wide, children }: Props) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`grid gap-x-12 gap-y-4 border-t border-line py-8 first:border-t-0 first:pt-2 print:py-4 ${wide ? '' : 'min-[1100px]:grid-cols-[248px_minmax(0,1fr)]'}`}
    >
      <header className={wide ? 'flex flex-wrap items-start gap-3' : ''}>
        <div className="max-w-xl">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {help && <p className="mt-1 text-ink-3">{help}</p>}
        </div>
        {wide && actions && <div className="ml-auto flex flex-wrap gap-2 print:hidden">{actions}</div>}
      </header>
      <div className={`min-w-0 ${wide ? '' : 'max-w-2xl'}`}>
        {children}
        {!wide && actions && <div className="mt-4 flex flex-wrap gap-2 first:mt-0 print:hidden">{actions}</div>}
      </div>
    </section>
  );
}
