import type { ReactNode } from 'react';
import { useTitle } from '~/ui/useTitle';

type Props = {
  title: string;
  /** What Equity is, for visitors. */
  about?: string;
  children: ReactNode;
  footer?: ReactNode;
};

/** The frame of the pages without a session: one sheet on the canvas, whose top never moves. */
export function AccountPage({ title, about, children, footer }: Props) {
  useTitle(`${title} · Equity`);
  return (
    <main id="main" className="min-h-dvh px-4 pt-[max(32px,14vh)] pb-8">
      <div className="mx-auto w-full max-w-sm">
        <p className="mb-4 flex items-center gap-2.5 font-medium">
          <span
            aria-hidden
            className="grid size-6 place-items-center rounded-md bg-primary text-xs font-semibold text-on-primary"
          >
            E
          </span>
          Equity
        </p>
        {about && <p className="mb-4 text-ink-2">{about}</p>}
        <div className="panel flex flex-col gap-4 p-8 max-[900px]:p-5">
          <h1 className="text-xl font-semibold tracking-[-0.015em]">{title}</h1>
          {children}
        </div>
        {footer && <p className="mt-4 text-center text-ink-2">{footer}</p>}
      </div>
    </main>
  );
}
