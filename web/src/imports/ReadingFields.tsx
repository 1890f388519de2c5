import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Select } from '~/ui/Select';
import type { Reading } from './reading';

const numbers = [
  { value: 'point', label: '1,234.5' },
  { value: 'comma', label: '1.234,5' },
];

const dates = [
  { value: 'dmy', label: 'Day, month, year' },
  { value: 'mdy', label: 'Month, day, year' },
  { value: 'ymd', label: 'Year, month, day' },
];

type Props = {
  reading: Reading;
  /** The fields that the file needs. */
  fields: (keyof Reading)[];
  onChange: (reading: Reading) => void;
};

/** What a file leaves open: the formats of its numbers and dates, the issue date of its rows, its sheet and its encoding. */
export function ReadingFields({ reading, fields, onChange }: Props) {
  const set = (name: keyof Reading) => (value: string) => onChange({ ...reading, [name]: value || undefined });
  const shows = (name: keyof Reading) => fields.includes(name);
  return (
    <div className="grid gap-3 min-[600px]:grid-cols-2 min-[1000px]:grid-cols-3">
      {shows('numberFormat') && (
        <Field label="Numbers" help="If the file does not show how numbers are written" optional>
          {(parts) => (
            <Select
              {...parts}
              choices={numbers}
              value={reading.numberFormat}
              onChange={set('numberFormat')}
              placeholder="As in the file"
              optional
            />
          )}
        </Field>
      )}
      {shows('dateFormat') && (
        <Field label="Dates" help="If the file does not show the order of day and month" optional>
          {(parts) => (
            <Select
              {...parts}
              choices={dates}
              value={reading.dateFormat}
              onChange={set('dateFormat')}
              placeholder="As in the file"
              optional
            />
          )}
        </Field>
      )}
      {shows('issueDate') && (
        <Field label="Issue date" help="For rows without a date" optional>
          {(parts) => (
            <Input
              {...parts}
              type="date"
              value={reading.issueDate ?? ''}
              onChange={(event) => set('issueDate')(event.target.value)}
            />
          )}
        </Field>
      )}
      {shows('sheet') && (
        <Field label="Sheet" help="To read only this sheet of a workbook" optional>
          {(parts) => (
            <Input
              {...parts}
              value={reading.sheet ?? ''}
              maxLength={100}
              onChange={(event) => set('sheet')(event.target.value)}
            />
          )}
        </Field>
      )}
      {shows('encoding') && (
        <Field label="Encoding" help="Such as windows-1252, if texts are not readable" optional>
          {(parts) => (
            <Input
              {...parts}
              value={reading.encoding ?? ''}
              maxLength={40}
              onChange={(event) => set('encoding')(event.target.value)}
            />
          )}
        </Field>
      )}
    </div>
  );
}
