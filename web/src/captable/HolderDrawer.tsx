import { Link } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { classColors } from '~/charts/colors';
import { cell, cents, percent } from '~/format/figures';
import { useCompany } from '~/shell/company';
import { Swatch } from '~/ui/Chip';
import { Drawer } from '~/ui/Drawer';
import { Facts } from '~/ui/Page';

type Props = { table: Schema<'CapTable'>; holder: Schema<'CapTableHolder'>; onClose: () => void };

/** The positions of one holder. */
export function HolderDrawer({ table, holder, onClose }: Props) {
  const { id: organization } = useCompany();
  const colors = classColors(table.securities);
  const names = new Map(table.securities.map((security) => [security.id, security.name]));
  const convertibles = table.convertibles.filter((one) => one.entity === holder.entity);
  return (
    <Drawer open onClose={onClose} title={holder.name}>
      <Facts
        rows={[
          ['Shares', cell(holder.shares)],
          ['Options', cell(holder.options)],
          holder.warrants !== undefined && (['Warrants', cell(holder.warrants)] as const),
          ['Outstanding', percent(holder.percentOutstanding)],
          ['Fully diluted', percent(holder.percentFullyDiluted)],
          ['Invested', cents(holder.invested, table.currency)],
        ]}
      />
      <h3 className="mt-6 mb-1 font-medium">Classes</h3>
      <Facts
        rows={holder.bySecurity.map((position) => [
          names.get(position.security) ?? '',
          <span key={position.security} className="inline-flex items-center gap-2">
            <Swatch color={colors.get(position.security) ?? ''} />
            {cell(position.shares)}
            {position.options && position.options !== '0' && (
              <span className="text-ink-3">{cell(position.options)} options</span>
            )}
          </span>,
        ])}
      />
      {convertibles.length > 0 && (
        <>
          <h3 className="mt-6 mb-1 font-medium">Convertibles</h3>
          <Facts rows={convertibles.map((one) => [one.name, cents(one.balance, one.principal.currency)])} />
        </>
      )}
      <p className="mt-6 flex gap-4">
        <Link
          to="/company/$organization/shares"
          params={{ organization }}
          search={{ q: holder.name } as never}
          className="text-accent hover:underline"
        >
          Certificates
        </Link>
        <Link
          to="/company/$organization/grants"
          params={{ organization }}
          search={{ q: holder.name } as never}
          className="text-accent hover:underline"
        >
          Grants
        </Link>
      </p>
    </Drawer>
  );
}
