import { useDay } from '~/day/day';
import { day, moment } from '~/format/dates';
import { describe, effectiveDay } from '~/journal/describe';
import type { Names } from '~/journal/names';
import { originName } from '~/journal/origins';
import { PlaceLink } from '~/journal/PlaceLink';
import { placeOfEvent } from '~/journal/places';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Drawer } from '~/ui/Drawer';
import { Empty } from '~/ui/Notice';
import { Facts } from '~/ui/Page';
import { useAuthors } from './useAuthors';
import type { Entry } from './useJournal';

type Props = { sequence: string; entry: Entry | null | undefined; names: Names; onClose: () => void };

/** All facts of an entry, its record, and the way back to the company as it was then. */
export function EntryDrawer({ sequence, entry, names, onClose }: Props) {
  const { set } = useDay();
  const { currency } = useCompany();
  const authorOf = useAuthors(entry ? [entry.by] : []);
  if (entry === undefined) return null; // its title determines the height of the heading
  const place = entry && placeOfEvent(entry.type, entry.data);
  const effective = entry ? effectiveDay(entry.data) : undefined;
  return (
    <Drawer
      open
      tall
      onClose={onClose}
      title={entry ? describe(entry.type, entry.data, names, currency) : `Entry ${sequence}`}
      subtitle={`Journal entry ${sequence}`}
      footer={
        entry && (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => set({ knownAt: sequence, asOf: undefined })}>Show the company at this entry</Button>
            {place && (
              <PlaceLink place={place} className="btn btn-outline">
                Open the record
              </PlaceLink>
            )}
          </div>
        )
      }
    >
      {entry === null && <Empty title="No such entry">The journal has no entry with this number.</Empty>}
      {entry && (
        <>
          <Facts
            rows={[
              ['Author', authorOf(entry.by).name],
              ['Origin', originName(entry.origin)],
              ['Recorded', moment(entry.recordedAt)],
              effective !== undefined && (['Effective', day(effective)] as const),
              [
                'Kind',
                <code key="type" className="text-xs">
                  {entry.type}
                </code>,
              ],
              [
                'Hash',
                <code key="hash" className="text-xs break-all">
                  {entry.hash}
                </code>,
              ],
            ]}
          />
          <h3 className="mt-6 mb-2 font-medium">Recorded data</h3>
          <pre className="num overflow-x-auto rounded-[7px] bg-canvas p-3 text-xs break-words whitespace-pre-wrap">
            {JSON.stringify(entry.data, null, 2)}
          </pre>
        </>
      )}
    </Drawer>
  );
}
