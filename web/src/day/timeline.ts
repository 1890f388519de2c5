import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';
import { classColors, kindColors, personColor, persons } from '~/charts/colors';

export type Timeline = Schema<'CapTableTimeline'>;
export type Division = 'security' | 'holder';

/** Reads the ownership of a company over its life. */
export const useTimeline = (organization: string, by: Division, knownAt: string | undefined) =>
  useQuery({
    queryKey: ['get', '/organization/{organization}/captable/timeline', organization, by, knownAt],
    queryFn: async ({ signal }) => {
      const params = { path: { organization }, query: { by, points: 80, ...(knownAt && { knownAt }) } };
      return (await client.GET('/organization/{organization}/captable/timeline', { params, signal })).data as Timeline;
    },
    placeholderData: keepPreviousData,
  });

/** Returns the colour of each series by its id. */
export function seriesColors(series: Timeline['series']): Map<string, string> {
  const classes = classColors(
    series
      .filter((one) => one.kind === 'security')
      .map((one) => ({ id: one.id, shareType: one.shareType ?? 'common' })),
  );
  let holder = 0;
  return new Map(
    series.map((one) => {
      if (one.kind === 'security') return [one.id, classes.get(one.id) ?? kindColors.rest];
      if (one.kind === 'holder') return [one.id, personColor(holder++)];
      if (one.kind === 'rest' && holder > 0) return [one.id, personColor(persons)];
      return [one.id, kindColors[one.kind]];
    }),
  );
}

/** Returns the point of the latest day that is not after a date. */
export function pointAt(timeline: Timeline, date: string): Timeline['points'][number] | undefined {
  return timeline.points.findLast((point) => point.date <= date) ?? timeline.points[0];
}
