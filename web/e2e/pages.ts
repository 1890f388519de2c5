/** Place is a page of the app: its name in file names, and its path. ORG stands for the demo company. */
export type Place = { name: string; path: string; signedOut?: true };

const company = [
  'captable',
  'shares',
  'classes',
  'stakeholders',
  'roles',
  'plans',
  'grants',
  'schedules',
  'convertibles',
  'valuations',
  'capital',
  'rounds',
  'exit',
  'documents',
  'activity',
  'import',
  'settings',
];

/** All pages of the app, for screenshots and for the check of accessibility. */
export const places: Place[] = [
  { name: 'login', path: '/login', signedOut: true },
  { name: 'register', path: '/register', signedOut: true },
  { name: 'password', path: '/password', signedOut: true },
  { name: 'home', path: '/' },
  { name: 'start', path: '/start' },
  { name: 'profile', path: '/settings' },
  ...company.map((name) => ({ name, path: `/company/ORG/${name}` })),
  { name: 'issue-shares', path: '/company/ORG/captable?post=issueShares' },
  { name: 'closed-rounds', path: '/company/ORG/rounds?tab=closed' },
  { name: 'past', path: '/company/ORG/captable?asOf=2021-12-31' },
  { name: 'ownership-over-time', path: '/company/ORG/captable?time=open' },
  { name: 'entry', path: '/company/ORG/activity?entry=50' },
  { name: 'import-members', path: '/company/ORG/import?kind=members' },
  { name: 'trash', path: '/company/ORG/documents?view=trash' },
];

/** The screens on which each page is shown. */
export const screens = [
  { name: 'light-1440', width: 1440, height: 900, theme: 'light' },
  { name: 'dark-1440', width: 1440, height: 900, theme: 'dark' },
  { name: 'light-390', width: 390, height: 844, theme: 'light' },
  { name: 'dark-390', width: 390, height: 844, theme: 'dark' },
] as const;

/** Waits until a page shows its data: no skeletons, no running requests of its own. */
export async function settled(page: import('@playwright/test').Page): Promise<void> {
  await page.locator('h1, h2').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy=true]'), undefined, {
    timeout: 15_000,
  });
  await page.evaluate(() => document.fonts.ready);
}
