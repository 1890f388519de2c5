import type { Schema } from '~/api/client';
import { classColors } from '~/charts/colors';
import { sum } from '~/decimal/decimal';
import { cell, cents, percent } from '~/format/figures';
import { useCompany } from '~/shell/company';
import { Swatch } from '~/ui/Chip';
import { Drawer } from '~/ui/Drawer';
import { Facts } from '~/ui/Page';
import { Table } from '~/ui/Table';
import { Why } from '~/why/Why';
import { dilutedOf } from './columns';
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
    <Drawer open onClose={onClose} title={holder.name} wide tall>
      <Facts
        pairs
        rows={[
          ['Shares', explained('shares', 'shares', cell(holder.shares))],
          [
            '% outstanding',
            explained('percentOutstanding', '% outstanding', percent(holder.percentOutstanding, holder.shares)),
          ],
          ['Options', explained('options', 'options', cell(holder.options))],
          [
            '% fully diluted',
            explained('percentFullyDiluted', '% fully diluted', percent(holder.percentFullyDiluted, dilutedOf(holder))),
          ],
          ['Warrants', explained('warrants', 'warrants', cell(holder.warrants))],
          ['Cost', holder.invested === '0' ? '–' : cents(holder.invested, currency)],
        ]}
      />
      <section aria-label="Classes">
        <h3 className="mt-6 mb-1 font-medium">Classes</h3>
        <Table
          label="Classes"
          rows={holder.bySecurity}
          rowKey={(row) => row.security}
          columns={[
            {
              header: 'Class',
              cell: (row) => (
                <span className="flex items-center gap-2">
                  <Swatch color={colors.get(row.security) ?? ''} />
                  {names.get(row.security)}
                </span>
              ),
            },
            { header: 'Shares', figure: true, cell: (row) => cell(row.shares) },
            { header: 'Options', figure: true, cell: (row) => cell(row.options) },
            {
              header: '% fully diluted',
              figure: true,
              cell: (row) =>
                percent(row.percentFullyDiluted, sum([row.shares, row.options ?? '0', row.warrants ?? '0'])),
            },
          ]}
        />
      </section>
      <Holdings entity={holder.entity} names={names} colors={colors} convertibles={convertibles} />
    </Drawer>
  );
}
