import { today } from '~/format/dates';
import { words } from '~/format/words';
import types from '~/journal/events.json';
import { isOrigin, origins } from '~/journal/origins';
import { useAddress } from '~/shell/address';
import { Button } from '~/ui/Button';
import { Combobox } from '~/ui/Combobox';
import { Input } from '~/ui/Input';
import { useAuthorChoices } from './useAuthors';

const kinds = types.map((type) => ({ value: type, label: words(type) }));

/** The filters of the journal, kept in the URL: kind, author, origin and period. */
export function Filters() {
  const [address, setAddress] = useAddress();
  const authors = useAuthorChoices();
  const filtered = address.type || address.by || address.origin || address.gains || address.from || address.to;
  const date = (name: 'from' | 'to', label: string) => (
    <Input
      type="date"
      aria-label={label}
      title={label}
      className="num w-36!"
      max={today()}
      value={address[name] ?? ''}
      onChange={(event) => setAddress({ [name]: event.target.value || undefined })}
    />
  );
  return (
    <>
      <div className="w-52 max-[900px]:w-full">
        <Combobox
          choices={kinds}
          value={address.type}
          onChange={(type) => setAddress({ type: type || undefined })}
          placeholder="All kinds"
          label="Kind"
        />
      </div>
      <div className="w-48 max-[900px]:w-full">
        <Combobox
          choices={authors}
          value={address.by}
          onChange={(by) => setAddress({ by: by || undefined })}
          placeholder="All authors"
          label="Author"
        />
      </div>
      <div className="w-40 max-[900px]:w-full">
        <Combobox
          choices={origins}
          value={isOrigin(address.origin) ? address.origin : undefined}
          onChange={(origin) => setAddress({ origin: origin || undefined })}
          placeholder="All origins"
          label="Origin"
        />
      </div>
      <Button
        look={address.gains ? 'primary' : 'outline'}
        aria-pressed={address.gains !== undefined}
        onClick={() => setAddress({ gains: address.gains ? undefined : 'true' })}
      >
        Author gains
      </Button>
      {date('from', 'Recorded from')}
      {date('to', 'Recorded until')}
      {filtered && (
        <Button
          look="ghost"
          onClick={() =>
            setAddress({
              type: undefined,
              by: undefined,
              origin: undefined,
              gains: undefined,
              from: undefined,
              to: undefined,
            })
          }
        >
          Clear
        </Button>
      )}
    </>
  );
}
