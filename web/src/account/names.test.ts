import { describe, expect, it } from 'vitest';
import { namesOf } from './names';

describe('names of a person', () => {
  it('are the last word and the words before it', () =>
    expect(namesOf(' Ana Maria  Lopez ')).toEqual({ firstName: 'Ana Maria', lastName: 'Lopez' }));
  it('keep a single word as the first name', () =>
    expect(namesOf('Madonna')).toEqual({ firstName: 'Madonna', lastName: '' }));
  it('are empty without a name', () => expect(namesOf()).toEqual({ firstName: '', lastName: '' }));
});
