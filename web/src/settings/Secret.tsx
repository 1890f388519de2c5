import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import { notify } from '~/ui/notify';

/** A secret that is shown only once. */
export function Secret({ label, value }: { label: string; value: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    notify({ title: `${label} copied` });
  };
  return (
    <Banner tone="good">
      {label}, shown only now: <code className="num break-all">{value}</code>{' '}
      <Button className="ml-2 h-7!" onClick={copy}>
        Copy
      </Button>
    </Banner>
  );
}
