import type { ReactNode } from 'react';
import { problemOf } from '~/api/problem';
import { Button } from './Button';

/** The place of a list without rows: the reason, and one action. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid place-items-center px-4 py-16 text-center">
      <div className="flex max-w-sm flex-col items-center gap-1">
        <p className="font-medium">{title}</p>
        {children && <p className="text-ink-3">{children}</p>}
        {action && <div className="mt-3">{action}</div>}
      </div>
    </div>
  );
}

/** A failed read: the failed operation, the cause, and a retry. `what` completes "… could not be loaded". */
export function Failure({ what, error, retry }: { what: string; error: unknown; retry?: () => void }) {
  const problem = problemOf(error);
  return (
    <div className="grid place-items-center px-4 py-16 text-center" role="alert">
      <div className="flex max-w-sm flex-col items-center gap-1">
        <p className="font-medium">{what} could not be loaded</p>
        <p className="text-ink-3">{problem.message} No data was changed.</p>
        {problem.requestId && <p className="text-xs text-ink-3">Request {problem.requestId}</p>}
        {retry && (
          <Button className="mt-3" onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

type Tone = 'info' | 'warn' | 'bad' | 'good';

const tones: Record<Tone, string> = {
  info: 'bg-accent-soft text-ink',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-neg-soft text-neg',
  good: 'bg-pos-soft text-pos',
};

/** A short statement beside a form or a page. */
export function Banner({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'} className={`rounded-[7px] px-3 py-2 ${tones[tone]}`}>
      {children}
    </div>
  );
}
