import { expect, it } from 'vitest';
import { typedDay } from './typedDay';

it.each(['31 dec 2023', '31 December 2023', 'Dec 31, 2023', '2023-12-31', ' 31  DEC 2023 '])('DayIsRead: %s', (text) =>
  expect(typedDay(text)).toBe('2023-12-31'),
);
it.each(['31 feb 2023', '2023', 'dec', '31 foo 2023', '01/02/2023', 'CS-12'])('OtherTextIsNoDay: %s', (text) =>
  expect(typedDay(text)).toBeUndefined(),
);
