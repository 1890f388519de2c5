import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { CatchBoundary } from '@tanstack/react-router';
import { type ComponentType, lazy, useState } from 'react';
import { problemOf } from '~/api/problem';
import { Button } from './Button';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** The loads of all parts that are known so far. */
export const partLoads = new Set<() => Promise<unknown>>();

/** Returns a component whose code is loaded when it is first shown, or ahead. A failure is stated beside the page, and can be tried again. */
export function lazyPart<Props extends object>(load: Load<Props>): ComponentType<Props> {
  partLoads.add(load);
  let latest = { Shown: lazy(load), attempt: 0 };
  return function Part(props: Props) {
    const [{ Shown, attempt }, setCurrent] = useState(latest);
    const { reset } = useQueryErrorResetBoundary();
    const again = () => {
      reset();
      latest = { Shown: lazy(load), attempt: attempt + 1 };
      setCurrent(latest);
    };
    return (
      <CatchBoundary
        getResetKey={() => attempt}
        errorComponent={({ error }) => <PartFailure error={error} onRetry={again} />}
      >
        <Shown {...props} />
      </CatchBoundary>
    );
  };
}

function PartFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className="pop fixed right-4 bottom-4 z-80 flex max-w-sm items-center gap-3 p-3 print:hidden">
      <p>{problemOf(error).message}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
