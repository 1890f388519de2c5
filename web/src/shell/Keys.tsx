import { Drawer } from '~/ui/Drawer';
import type { Company } from './company';
import { pagesOf } from './pages';

const everywhere = [
  ['⌘ K', 'Search pages, records, actions and days'],
  ['⌘ J', 'Open or close the assistant'],
  ['⌘ Enter', 'Send the form'],
  ['/', 'Search the list'],
  ['?', 'Show the keys'],
  ['Esc', 'Close, or clear the selection'],
] as const;

const lists = [
  ['↑ ↓', 'Move between rows'],
  ['← →', 'Move between the figures of a row'],
  ['Home End', 'First and last row'],
  ['Enter', 'Open the row'],
  ['Space', 'Select the row'],
] as const;

type Keys = readonly (readonly [string, string])[];

const Part = ({ title, keys }: { title: string; keys: Keys }) => (
  <section className="mb-6">
    <h3 className="mb-1 font-medium">{title}</h3>
    <dl>
      {keys.map(([key, what]) => (
        <div key={key} className="flex min-h-8 items-center justify-between gap-4 border-b border-line">
          <dt className="flex shrink-0 gap-1">
            {key.split(' ').map((one) => (
              <kbd key={one}>{one}</kbd>
            ))}
          </dt>
          <dd className="min-w-0 text-right text-ink-2">{what}</dd>
        </div>
      ))}
    </dl>
  </section>
);

/** The keys of the app. Ctrl has the place of ⌘ on other keyboards. */
export default function Keys({ company, onClose }: { company: Company | undefined; onClose: () => void }) {
  const pages = company ? pagesOf(company).filter((page) => page.key) : [];
  return (
    <Drawer open onClose={onClose} title="Keys" subtitle="⌘ is Ctrl on keyboards without it.">
      <Part title="Everywhere" keys={everywhere} />
      <Part title="Lists" keys={lists} />
      <Part
        title="Pages"
        keys={[['G H', 'Home'], ...pages.map(({ key = '', label }) => [`G ${key.toUpperCase()}`, label] as const)]}
      />
    </Drawer>
  );
}
