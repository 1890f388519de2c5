import { Printer } from 'lucide-react';
import { useDay } from '~/day/day';
import { useHolders } from '~/records/useNames';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Combobox } from '~/ui/Combobox';
import { Input } from '~/ui/Input';
import { Section } from '~/ui/Page';
import { beginOf } from './movements';
import { Statement } from './Statement';

/** The statement of a holder: the own one, or one that the user chooses. Printing it makes a PDF. */
export function Statements() {
  const company = useCompany();
  const user = useUser();
  const { members, nameOf } = useHolders();
  const { date } = useDay();
  const [address, setAddress] = useAddress();
  const from = beginOf(address.from, date);
  const chooses = company.can('viewCapTable') && company.can('viewMembers');
  const entity = (chooses && address.holder) || user.entity;
  return (
    <Section
      title="Statement"
      actions={
        <>
          {chooses && (
            <div className="w-64 print:hidden">
              <Combobox
                label="Holder of the statement"
                choices={members.map((one) => ({
                  value: one.entity,
                  label: one.fullName,
                  detail: one.relationship,
                }))}
                value={entity}
                onChange={(chosen) => setAddress({ holder: chosen === user.entity ? undefined : String(chosen ?? '') })}
              />
            </div>
          )}
          <Input
            type="date"
            aria-label="First day of the statement"
            title="First day of the statement"
            className="num w-36! print:hidden"
            max={date}
            value={from}
            onChange={(event) => setAddress({ from: event.target.value || undefined })}
          />
          <Button className="print:hidden" onClick={() => window.print()}>
            <Printer size={15} aria-hidden />
            Print or save as PDF
          </Button>
        </>
      }
    >
      <Statement entity={entity} name={nameOf(entity)} from={from} />
    </Section>
  );
}
