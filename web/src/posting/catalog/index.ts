import type { Posting } from '../posting';
import { classes } from './classes';
import { instruments } from './instruments';
import { people } from './people';
import { plans } from './plans';
import { rounds } from './rounds';
import { shares } from './shares';
import { values } from './values';

/** All changes that users can make, by the name in the URL: ?post=issueShares. */
export const catalog: Record<string, Posting> = {
  ...shares,
  ...classes,
  ...plans,
  ...instruments,
  ...values,
  ...rounds,
  ...people,
};
