import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useList } from '~/api/list';
import { NumberInput } from '~/posting/NumberInput';
import { useCompany } from '~/shell/company';
import { Button, IconButton } from '~/ui/Button';
import { Input } from '~/ui/Input';
import { AmountSlider } from '~/ui/Slider';
import { examples, type Investment } from './terms';

const most = 60; // proposed stakeholders; further ones need more letters

type Props = { investments: Investment[]; onChange: (investments: Investment[]) => void };

/** The new money, by investor. The name of a stakeholder selects that stakeholder; another name is a new one. */
export function Investors({ investments, onChange }: Props) {
  const company = useCompany();
  const members = useList(
    '/organization/{organization}/member',
    { path: { organization: company.id } },
    company.can('viewMembers'),
  );
  const change = (at: number, next: Partial<Investment>) =>
    onChange(investments.map((investment, index) => (index === at ? { ...investment, ...next } : investment)));
  const named = (name: string): Partial<Investment> => {
    const member = members.rows.find((one) => one.fullName === name);
    return member ? { entity: member.entity, name: undefined } : { entity: undefined, name };
  };
  const [typed, setTyped] = useState('');
  const matching = members.rows
    .filter((one) => one.fullName.toLowerCase().includes(typed.toLowerCase()))
    .slice(0, most);
  const nameOf = ({ entity, name }: Investment) =>
    name ?? members.rows.find((member) => member.entity === entity)?.fullName ?? '';
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">New money</legend>
      <datalist id="stakeholders">
        {matching.map((member) => (
          <option key={member.id} value={member.fullName} />
        ))}
      </datalist>
      {investments.map((investment, index) => (
        <div key={index} className="flex flex-col gap-1">
          <div className="flex gap-1.5">
            <Input
              aria-label={`Investor ${index + 1}`}
              list="stakeholders"
              value={nameOf(investment)}
              placeholder={examples.investor(index)}
              onFocus={(event) => setTyped(event.target.value)}
              onChange={(event) => {
                setTyped(event.target.value);
                change(index, named(event.target.value));
              }}
            />
            <div className="w-40 shrink-0">
              <NumberInput
                aria-label={`Amount of investor ${index + 1}`}
                unit={company.currency}
                value={investment.amount}
                onChange={(amount) => change(index, { amount: String(amount) })}
              />
            </div>
            {investments.length > 1 && (
              <IconButton
                label={`Remove investor ${index + 1}`}
                onClick={() => onChange(investments.filter((_, place) => place !== index))}
              >
                <X size={14} aria-hidden />
              </IconButton>
            )}
          </div>
          <AmountSlider
            label={`Amount of investor ${index + 1}, slider`}
            value={investment.amount}
            from="50000"
            to="100000000"
            onChange={(amount) => change(index, { amount })}
          />
        </div>
      ))}
      <Button
        look="ghost"
        className="self-start"
        onClick={() => onChange([...investments, { name: '', amount: '1000000' }])}
      >
        <Plus size={15} aria-hidden />
        Add investor
      </Button>
    </fieldset>
  );
}
