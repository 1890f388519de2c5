import { Button } from '~/ui/Button';
import { copy } from '~/ui/copy';
import { Banner } from '~/ui/Notice';

/** A secret that is shown only once. */
export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <Banner tone="good">
      {label}, shown only now: <code className="num break-all">{value}</code>{' '}
      <Button className="ml-2 h-7!" onClick={() => copy(value, `${label} copied`)}>
        Copy
      </Button>
    </Banner>
  );
}
