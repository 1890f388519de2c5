const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns the number of a month from its English name or the beginning of it: "dec" is "12". */
export function monthOf(name: string): string | undefined {
  const at = months.findIndex((month) => name.slice(0, 3).toLowerCase() === month.toLowerCase());
  return at < 0 ? undefined : pad(at + 1);
}

/** Returns a calendar date in fixed width: 01 Sep 2021. A date has no time zone, so no Date object is involved. */
export function day(date: string | undefined): string {
  if (!date) return '–';
  const [year = '', month = '01', dayOfMonth = ''] = date.slice(0, 10).split('-');
  return `${dayOfMonth} ${months[['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'].indexOf(month)]} ${year}`;
}

/** Returns a moment in the reader's time zone: 01 Sep 2021, 14:05. */
export function moment(at: string | undefined): string {
  if (!at) return '–';
  const date = new Date(at);
  return `${day(isoDay(date))}, ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

const pad = (value: number) => value.toString().padStart(2, '0');

/** Returns the calendar date of a moment in the reader's time zone as YYYY-MM-DD. */
export const isoDay = (date: Date): string =>
  `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

/** Returns today in UTC as YYYY-MM-DD, the day that the server accepts as not in the future. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** Returns the date that lies some days after another. */
export function addDays(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Returns the number of days from one date to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
