import { monthOf } from '~/format/dates';

const forms = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})\.? (?<name>[a-z]{3,9}),? (?<year>\d{4})$/,
  /^(?<name>[a-z]{3,9}) (?<day>\d{1,2}),? (?<year>\d{4})$/,
];

/** Returns the day of a search such as "31 dec 2023", "Dec 31, 2023" or "2023-12-31" as YYYY-MM-DD; undefined if it is none. */
export function typedDay(text: string): string | undefined {
  const typed = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const parts = forms.map((form) => form.exec(typed)?.groups).find(Boolean);
  const month = parts?.name ? monthOf(parts.name) : parts?.month?.padStart(2, '0');
  if (!parts?.day || !month) return undefined;
  const date = `${parts.year}-${month}-${parts.day.padStart(2, '0')}`;
  const at = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date) ? date : undefined;
}
