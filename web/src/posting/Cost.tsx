import type { Schema } from '~/api/client';
import { Facts } from '~/ui/Page';
import { costOf, type Exercise } from './exerciseCost';
import type { Context } from './posting';

type Props = { exercise: Exercise; context: Context; events?: Schema<'PreviewEvent'>[] };

/** The cost of an exercise below the fields that determine it. */
export function Cost({ exercise, context, events }: Props) {
  const rows = costOf(exercise, context, events);
  return (
    rows.length > 0 && (
      <section aria-label="Cost">
        <Facts rows={rows} />
      </section>
    )
  );
}
