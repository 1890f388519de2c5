import { Popover } from '@base-ui/react/popover';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { Failure } from '~/ui/Notice';
import { Tree } from './Tree';
import { TreeTerm } from './TreeTerm';
import { useExplanation } from './useExplanation';

type Props = { figure: string; label: string; onLeave: () => void };

/** The explanation of a figure as a tree that unfolds down to the entries of the journal. */
export default function Explanation({ figure, label, onLeave }: Props) {
  const { date, knownAt } = useDay();
  const answer = useExplanation(figure);
  return (
    <>
      <Popover.Title className="font-medium">{label}</Popover.Title>
      <Popover.Description className="mb-2 text-xs text-ink-3">
        At the end of {day(date)}
        {knownAt && ', as known then'}
      </Popover.Description>
      {answer.isError ? (
        <Failure what="The explanation" error={answer.error} retry={answer.refetch} />
      ) : answer.data ? (
        <Tree label={`Explanation of ${label}`} first="0" onLeave={onLeave}>
          <TreeTerm path="0" level={1} term={answer.data.explanation} open />
        </Tree>
      ) : (
        <div role="status" aria-label="Loading the explanation" className="skeleton h-24" />
      )}
    </>
  );
}
