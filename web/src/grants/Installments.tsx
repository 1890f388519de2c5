import { ChevronRight } from 'lucide-react';
import { add, type Decimal } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { quantity } from '~/format/figures';
import type { Step } from './curve';

/** The installments of a grant with their running total; folded until the user opens them. */
export function Installments({ steps, date }: { steps: Step[]; date: string }) {
  let sum: Decimal = '0';
  const rows = steps.map((step) => {
    sum = add(sum, step.quantity);
    return { ...step, sum };
  });
  return (
    <details className="group mt-2">
      <summary className="flex h-8 cursor-pointer list-none items-center gap-1.5 text-ink-2 hover:text-ink">
        <ChevronRight size={14} aria-hidden className="group-open:rotate-90" />
        {steps.length === 1 ? 'The installment' : `All ${steps.length} installments`}
      </summary>
      <table className="num w-full">
        <thead className="text-ink-3">
          <tr className="h-8 border-b border-line text-right">
            <th scope="col" className="text-left font-normal">
              Date
            </th>
            <th scope="col" className="font-normal">
              Vests
            </th>
            <th scope="col" className="font-normal">
              In total
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.date} className={`h-8 border-b border-line text-right ${row.date > date ? 'text-ink-3' : ''}`}>
              <td className="text-left">{day(row.date)}</td>
              <td>{quantity(row.quantity)}</td>
              <td>{quantity(row.sum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
