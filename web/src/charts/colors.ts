type Classified = { id: string; shareType: string };

const common = ['var(--c-common)', 'color-mix(in oklab, var(--c-common) 60%, var(--surface))'];
const preferred = ['var(--c-seed)', 'var(--c-a)', 'var(--c-b)'];

/** The colours of everything that is no class of shares. */
export const kindColors = {
  options: 'var(--c-options)',
  pools: 'color-mix(in oklab, var(--c-options) 55%, var(--surface))',
  warrants: 'var(--c-warrants)',
  convertibles: 'var(--c-convertibles)',
  rest: 'var(--c-rest)',
} as const;

/** Returns the colour of each class by its id: common is teal, and preferred classes deepen in the order of their rounds. */
export function classColors(classes: Classified[]): Map<string, string> {
  let plain = 0;
  let rounds = 0;
  return new Map(
    classes.map(({ id, shareType }) => {
      const shades = shareType === 'preferred' ? preferred : common;
      const shade = shareType === 'preferred' ? rounds++ : plain++;
      return [id, shades[Math.min(shade, shades.length - 1)] ?? kindColors.rest];
    }),
  );
}
