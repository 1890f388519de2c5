import { Printer } from 'lucide-react';
import { useHolders } from '~/records/useNames';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Combobox } from '~/ui/Combobox';
import { Section } from '~/ui/Page';
import { Statement } from './Statement';

/** The statement of a holder: the own one, or one that the user chooses. Printing it makes a PDF. */
export function Statements() {
  const company = useCompany();
  const user = useUser();
  const { members, nameOf } = useHolders();
  const [{ holder }, setAddress] = useAddress();
  const chooses = company.can('viewCapTable') && company.can('viewMembers');
  const entity = (chooses && holder) || user.entity;
  const own = `${user.firstName ?? ''} ${user.lastName ?? ''}`.trim();
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
          <Button className="print:hidden" onClick={() => window.print()}>
            <Printer size={15} aria-hidden />
            Print or save as PDF
          </Button>
        </>
      }
    >
      <Statement entity={entity} name={nameOf(entity) || own} />
    </Section>
  );
}
