type Classified = { id: string; shareType: string };

const common = ['var(--c-common)', 'color-mix(in oklab, var(--c-common) 60%, var(--surface))'];
const rounds = 6; // shades of preferred classes; later rounds are darker still

/** The colours of everything that is no class of shares. */
export const kindColors = {
  options: 'var(--c-options)',
  pools: 'color-mix(in oklab, var(--c-options) 45%, var(--surface))',
  warrants: 'var(--c-warrants)',
  convertibles: 'var(--c-convertibles)',
  rest: 'var(--c-rest)',
} as const;

/** Returns the blue of a preferred class by the place of its round, from 0. */
const preferredColor = (round: number): string =>
  round < rounds
    ? `var(--c-preferred-${round + 1})`
    : `color-mix(in oklab, var(--c-preferred-${rounds}) ${Math.max(90 - (round - rounds) * 25, 15)}%, var(--ink))`;

/** Returns the colour of each class by its id: common is teal, and preferred classes deepen in the order of their rounds. */
export function classColors(classes: Classified[]): Map<string, string> {
  let plain = 0;
  let round = 0;
  return new Map(
    classes.map(({ id, shareType }) => [
      id,
      shareType === 'preferred'
        ? preferredColor(round++)
        : (common[Math.min(plain++, common.length - 1)] ?? kindColors.rest),
    ]),
  );
}

const grays = [88, 70, 54, 41, 30, 21]; // percent of ink

/** The number of persons with a colour of their own. */
export const persons = grays.length;

/** Returns the gray of a person by its place, from 0. The data colours belong to classes and kinds. All others are the lightest. */
export const personColor = (place: number): string =>
  `color-mix(in oklab, var(--ink) ${grays[place] ?? 11}%, var(--surface))`;
