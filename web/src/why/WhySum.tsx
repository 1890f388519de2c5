import { Popover } from '~/ui/Popover';
import { figureClass, Why } from './Why';

/** Part is a term of a sum: its name, its value, and the path of its explanation. */
export type Part = { name: string; value: string; figure: string };

type Props = { label: string; parts: Part[]; children: string };

/** A sum without an explanation of its own. It unfolds to its parts, and each part to its explanation. */
export function WhySum({ label, parts, children }: Props) {
  const [only] = parts;
  if (!only) return children;
  if (parts.length === 1) {
    return (
      <Why figure={only.figure} label={label}>
        {children}
      </Why>
    );
  }
  return (
    <Popover
      label={label}
      className="w-[360px] max-w-[calc(100vw-16px)] p-4 text-sm"
      trigger={
        <button type="button" aria-label={`${label}: explain`} className={figureClass}>
          {children}
        </button>
      }
    >
      {() => (
        <>
          <h2 className="mb-2 font-medium">{label}</h2>
          <ul>
            {parts.map((part) => (
              <li key={part.figure} className="flex h-8 items-center justify-between gap-4 border-b border-line">
                <span className="truncate">{part.name}</span>
                <Why figure={part.figure} label={`${part.name}, ${label.toLowerCase()}`}>
                  {part.value}
                </Why>
              </li>
            ))}
            <li className="flex h-8 items-center justify-between font-medium">
              <span>Total</span>
              <span className="num">{children}</span>
            </li>
          </ul>
        </>
      )}
    </Popover>
  );
}
