import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
const source = require.resolve('@fontsource-variable/inter/opsz.css');
const target = new URL('../.fonts/', import.meta.url).pathname;
const weights = { min: 400, max: 600 };
/** The features of the layout of text that the app uses; without the others, the files have half of their size. */
const features = ['ccmp', 'kern', 'locl', 'mark', 'mkmk', 'tnum'];

/**
 * Writes the fonts of the app and their style sheet into .fonts: Inter with the weights and features that the app uses. Its license is a file of the
 * build.
 */
export const fonts: Plugin = {
  name: 'fonts',
  apply: (_, { mode }) => mode !== 'test',
  async buildStart() {
    mkdirSync(target, { recursive: true });
    const css = readFileSync(source, 'utf8');
    const files = css.matchAll(/\.\/files\/([\w-]+\.woff2)[^}]*unicode-range: ([^;]+);/g);
    await Promise.all(
      Array.from(files, async ([, name = '', ranges = '']) => {
        const font = readFileSync(join(dirname(source), 'files', name));
        const options = { targetFormat: 'woff2' as const, variationAxes: { wght: weights }, keepFeatures: features };
        writeFileSync(join(target, name), await subsetFont(font, charactersOf(ranges), options));
      }),
    );
    const limited = css.replaceAll('./files/', './').replaceAll('100 900', `${weights.min} ${weights.max}`);
    writeFileSync(join(target, 'inter.css'), limited);
  },
  generateBundle() {
    const license = readFileSync(join(dirname(source), 'LICENSE'), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'license-inter.txt', source: license });
  },
};

/** Returns all characters of a list of ranges as in CSS. */
function charactersOf(ranges: string): string {
  const characters = ranges.split(',').flatMap((range) => {
    const [first = '', last = first] = range.trim().slice('U+'.length).split('-');
    const begin = Number.parseInt(first, 16);
    return Array.from({ length: Number.parseInt(last, 16) - begin + 1 }, (_, i) => String.fromCodePoint(begin + i));
  });
  return characters.join('');
}
