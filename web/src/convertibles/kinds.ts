import type { Schema } from '~/api/client';
import { kindColors } from '~/charts/colors';
import { words } from '~/format/words';

/** Instrument is a note, a SAFE, another convertible, or a warrant. */
export type Instrument = Exclude<Schema<'AnyHolding'>, { kind: 'option' }>;

export const isInstrument = (row: Schema<'AnyHolding'>): row is Instrument => row.kind !== 'option';

/** Selects the instruments in a list of holdings. */
export const instrumentKinds = 'convertibleNote,safe,custom,warrant';

const names: Record<string, string> = { safe: 'SAFE', convertibleNote: 'Note', custom: 'Convertible' };

/** Returns the name of a kind of instrument. */
export const kindName = (kind: string): string => names[kind] ?? words(kind);

const bases: Record<string, string> = { roundPrice: 'Price of the round', stated: 'Stated shares' };

/** Returns the term that sets a price in words. */
export const basisName = (basis: string): string => bases[basis] ?? words(basis);

/** Returns the data colour of an instrument. */
export const colorOf = (row: Instrument): string =>
  row.kind === 'warrant' ? kindColors.warrants : kindColors.convertibles;

/** Reports whether an instrument is outstanding. All other states are final. */
export const outstanding = (row: Instrument): boolean => row.status === 'active' || row.status === 'accepted';
