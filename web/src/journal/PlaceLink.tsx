import { Link } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { onSameDay } from '~/day/day';
import { useCompany } from '~/shell/company';
import type { Place } from './places';

type Props = Omit<ComponentPropsWithRef<'a'>, 'href'> & {
  place: Pick<Place, 'page'> & Partial<Place>;
};

/** A link to the page of a record or of an entry of the journal, on the same day. */
export function PlaceLink({ place, ...rest }: Props) {
  const { id } = useCompany();
  const to: string = `/company/${id}/${place.page}`;
  return <Link {...rest} to={to} search={onSameDay(place.search)} />;
}
