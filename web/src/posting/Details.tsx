import type { Schema } from '~/api/client';
import { words } from '~/format/words';
import { Chip } from '~/ui/Chip';

type Detail = Schema<'PreviewDetail'>;

const marks: Record<NonNullable<Detail['mark']>, string> = {
  address: 'Address',
  role: 'Role',
  permission: 'Permission',
  recipient: 'Recipient',
  money: 'Amount',
  price: 'Price',
};

/** All arguments of a proposed change, those that decide first. Texts are shown as the server quotes them, never as markup. */
export function Details({ details, label = 'Arguments' }: { details: Detail[]; label?: string }) {
  const decisive = details.filter((one) => one.mark);
  const others = details.filter((one) => !one.mark);
  return (
    <dl aria-label={label} className="mb-3 flex flex-col gap-1.5">
      {[...decisive, ...others].map((one) => (
        <div key={one.pointer} className={one.mark ? 'rounded-[7px] bg-warn-soft px-2 py-1' : 'px-2'}>
          <dt className="flex items-center gap-2 text-xs text-ink-3">
            {one.label}
            {one.mark && <Chip tone="warn">{marks[one.mark]}</Chip>}
          </dt>
          <dd dir="ltr" className="break-all whitespace-pre-wrap">
            {one.kind && (
              <span className={`block ${one.kind === 'unknown' ? 'text-neg' : 'font-medium'}`}>
                {one.kind === 'unknown' ? 'Unknown record' : `${one.name} (${words(one.kind).toLowerCase()})`}
              </span>
            )}
            <span className={one.kind ? 'num text-xs text-ink-3' : ''}>{one.value}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
