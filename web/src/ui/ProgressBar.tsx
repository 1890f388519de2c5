/** A bar of the done part of a work, from 0 to 1. */
export function ProgressBar({ label, done }: { label: string; done: number }) {
  const percent = Math.round(Math.min(Math.max(done, 0), 1) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1 w-full overflow-hidden rounded-full bg-active"
    >
      <div className="h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
    </div>
  );
}
