import type { Posting } from '../posting';
import { rounds } from './rounds';
import { shares } from './shares';

/** All changes that users can make, by the name in the URL: ?post=issueShares. */
export const catalog: Record<string, Posting> = { ...rounds, ...shares };
