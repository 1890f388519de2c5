import type { Posting } from '../posting';
import { classes } from './classes';
import { exercises } from './exercises';
import { grants } from './grants';
import { instruments } from './instruments';
import { issues } from './issues';
import { people } from './people';
import { plans } from './plans';
import { rounds } from './rounds';
import { schedules } from './schedules';
import { shares } from './shares';
import { values } from './values';

/** All changes that users can make, by the name in the URL: ?post=issueShares. */
export const catalog: Record<string, Posting> = {
  ...shares,
  ...classes,
  ...plans,
  ...exercises,
  ...grants,
  ...schedules,
  ...issues,
  ...instruments,
  ...values,
  ...rounds,
  ...people,
};
