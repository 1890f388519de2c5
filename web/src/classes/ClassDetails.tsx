import type { Schema } from '~/api/client';
import { divide, isDecimal, subtract } from '~/decimal/decimal';
import { ratio } from '~/decimal/geometry';
import { cell, percent } from '~/format/figures';
import { words } from '~/format/words';
import { PlaceLink } from '~/journal/PlaceLink';
import { useCompany } from '~/shell/company';
import { Why } from '~/why/Why';

type Security = Schema<'Security'>;

/** The use of the authorized shares as a bar with its legend, and the way to the shareholdings of the class. */
export function ClassDetails({ row, color }: { row: Security; color: string }) {
  const company = useCompany();
  const { issued = '0', reserved = '0', treasury = '0', outstanding = subtract(issued, treasury) } = row;
  const parts = [
    { name: 'Outstanding', figure: 'outstanding', value: outstanding, opacity: 1 },
    { name: 'In treasury', figure: 'treasury', value: treasury, opacity: 0.7 },
    { name: 'Reserved', figure: 'reserved', value: reserved, opacity: 0.4 },
    { name: 'Available', figure: 'available', value: row.available ?? '0', opacity: 0 },
  ];
  const total = row.authorizedShares;
  const limited = isDecimal(total);
  const explained = (figure: string, name: string, value: string) => {
    const text = isDecimal(value) ? cell(value) : words(value);
    if (!company.can('viewCapTable')) return text;
    return (
      <Why figure={`security/${row.id}/${figure}`} label={`${row.name}, ${name.toLowerCase()}`}>
        {text}
      </Why>
    );
  };
  return (
    <section aria-label="Use of the authorized shares">
      <h3 className="mt-6 mb-2 font-medium">Authorized shares</h3>
      {limited && (
        <div aria-hidden className="mb-2 flex h-2.5 overflow-hidden rounded-full bg-active">
          {parts.map((part) => (
            <span
              key={part.name}
              style={{
                width: `${ratio(isDecimal(part.value) ? part.value : '0', total) * 100}%`,
                background: color,
                opacity: part.opacity,
              }}
            />
          ))}
        </div>
      )}
      <table className="w-full">
        <caption className="sr-only">Use of the authorized shares</caption>
        <tbody>
          {parts.map((part) => (
            <tr key={part.name} className="h-8 border-b border-line">
              <th scope="row" className="text-left font-normal">
                <span className="flex items-center gap-2">
                  <span
                    aria-hidden
                    className={`size-2 rounded-[2px] ${part.opacity === 0 ? 'bg-active' : ''}`}
                    style={part.opacity === 0 ? undefined : { background: color, opacity: part.opacity }}
                  />
                  {part.name}
                </span>
              </th>
              <td className="num text-right">{explained(part.figure, part.name, part.value)}</td>
              <td className="num w-24 text-right text-ink-2">
                {limited && isDecimal(part.value) ? percent(divide(part.value, total)) : '–'}
              </td>
            </tr>
          ))}
          <tr className="h-8 font-medium">
            <th scope="row" className="text-left font-medium">
              Authorized
            </th>
            <td className="num text-right">{explained('authorized', 'Authorized', total)}</td>
            <td />
          </tr>
        </tbody>
      </table>
      <PlaceLink
        place={{ page: 'shares', search: { class: row.id } }}
        className="mt-4 inline-block text-accent hover:underline"
      >
        Shareholdings of this class
      </PlaceLink>
    </section>
  );
}
