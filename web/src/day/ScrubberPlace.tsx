import { Suspense } from 'react';
import { useCompany } from '~/shell/company';
import { lazyPart } from '~/ui/lazyPart';
import { useDay } from './day';

const Scrubber = lazyPart(() => import('./Scrubber'));

/** The place of the scrubber, which loads when it is opened. */
export function ScrubberPlace() {
  const { scrubbing } = useDay();
  const company = useCompany();
  if (!scrubbing || !company.can('viewCapTable')) return null;
  return (
    <Suspense fallback={<div className="skeleton mb-4 h-[115px]" />}>
      <Scrubber />
    </Suspense>
  );
}
