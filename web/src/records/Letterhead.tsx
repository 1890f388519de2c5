import type { Schema } from '~/api/client';
import { day } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { useHolder } from './useNames';

type Address = Schema<'Address'>;

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** Returns the lines of a postal address, of those parts that are known. */
export function addressLines(address: Address | undefined): string[] {
  if (!address) return [];
  const { street1, street2, street3, city, province, postalCode, country } = address;
  const region = [province, postalCode].filter(Boolean).join(' ');
  const town = [city, region].filter(Boolean).join(', ');
  return [street1, street2, street3, town, country && countries.of(country)].filter((line): line is string => !!line);
}

const Party = ({ label, name, address }: { label: string; name: string; address: Address | undefined }) => (
  <address aria-label={label} className="not-italic">
    <span className="font-medium text-ink">{name}</span>
    {addressLines(address).map((line) => (
      <span key={line} className="block">
        {line}
      </span>
    ))}
  </address>
);

type Props = {
  entity: string;
  /** The name of a holder whose member the reader may not see. */
  name?: string;
  /** The first and the last day. Without a first day, the statement is of the last one. */
  from: string | undefined;
  to: string;
  className?: string;
};

/** The head of a statement: the holder and the company with their addresses, and the period. */
export function Letterhead({ entity, name, from, to, className = '' }: Props) {
  const company = useCompany();
  const holder = useHolder(entity);
  return (
    <div className={`mb-4 text-ink-2 ${className}`}>
      <div className="mb-4 flex flex-wrap justify-between gap-x-8 gap-y-3">
        <Party label="Holder" name={holder?.fullName ?? name ?? 'Holder'} address={holder?.address} />
        <Party label="Company" name={company.legalName ?? company.name} address={company.address} />
      </div>
      <p className="num">{from && from < to ? `Period from ${day(from)} to ${day(to)}` : `At the end of ${day(to)}`}</p>
    </div>
  );
}
