import type { Schema } from '~/api/client';
import { classColors } from '~/charts/colors';
import { cell, cents, percent } from '~/format/figures';
import { useCompany } from '~/shell/company';
import { Swatch } from '~/ui/Chip';
import { Drawer } from '~/ui/Drawer';
import { Facts } from '~/ui/Page';
import { Why } from '~/why/Why';
import { Holdings } from './Holdings';

type Props = { table: Schema<'CapTable'>; holder: Schema<'CapTableHolder'>; onClose: () => void };

/** One holder: its part of the company, its positions by class, and the records behind them. */
export default function HolderDrawer({ table, holder, onClose }: Props) {
  const { currency } = useCompany();
  const colors = classColors(table.securities);
  const names = new Map(table.securities.map((security) => [security.id, security.name]));
  const convertibles = table.convertibles.filter((one) => one.entity === holder.entity);
  const explained = (figure: string, label: string, text: string) => (
    <Why figure={`holder/${holder.entity}/${figure}`} label={`${holder.name}, ${label}`}>
      {text}
    </Why>
  );
  return (
    <Drawer open onClose={onClose} title={holder.name} wide>
      <Facts
        pairs
        rows={[
          ['Shares', explained('shares', 'shares', cell(holder.shares))],
          ['% outstanding', explained('percentOutstanding', '% outstanding', percent(holder.percentOutstanding))],
          ['Options', explained('options', 'options', cell(holder.options))],
          ['% fully diluted', explained('percentFullyDiluted', '% fully diluted', percent(holder.percentFullyDiluted))],
          ['Warrants', explained('warrants', 'warrants', cell(holder.warrants))],
          ['Invested', holder.invested === '0' ? '–' : cents(holder.invested, currency)],
        ]}
      />
      <section aria-label="Classes">
        <h3 className="mt-6 mb-1 font-medium">Classes</h3>
        <table className="w-full">
          <thead className="text-ink-3">
            <tr className="h-8 border-b border-line text-right">
              <th scope="col" className="text-left font-normal">
                Class
              </th>
              <th scope="col" className="font-normal">
                Shares
              </th>
              <th scope="col" className="font-normal max-[900px]:hidden">
                Options
              </th>
              <th scope="col" className="font-normal">
                % fully diluted
              </th>
            </tr>
          </thead>
          <tbody>
            {holder.bySecurity.map((position) => (
              <tr key={position.security} className="h-9 border-b border-line text-right">
                <th scope="row" className="text-left font-normal">
                  <span className="flex items-center gap-2">
                    <Swatch color={colors.get(position.security) ?? ''} />
                    {names.get(position.security)}
                  </span>
                </th>
                <td className="num">{cell(position.shares)}</td>
                <td className="num max-[900px]:hidden">{cell(position.options)}</td>
                <td className="num">{percent(position.percentFullyDiluted)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Holdings entity={holder.entity} names={names} colors={colors} convertibles={convertibles} />
    </Drawer>
  );
}
