import type { Problem } from '~/api/problem';
import { Banner } from '~/ui/Notice';

/** The message of a refused request that names no field. */
export function Refusal({ problem }: { problem: Problem | undefined }) {
  if (!problem || problem.faults.some((fault) => fault.pointer.startsWith('/'))) return null;
  return <Banner tone="bad">{problem.message}</Banner>;
}
