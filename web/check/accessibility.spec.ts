import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { Server } from '../e2e/equity';
import {
  exists,
  forms,
  type Ids,
  laterPlaces,
  makeReady,
  open,
  type Place,
  places,
  recordIds,
  type Screen,
  screens,
  show,
} from '../e2e/pages';
import { expect, test } from '../e2e/providers';
import { report } from './report';

/** Opens places and reports the number of their findings. */
async function check(page: Page, server: Server, list: Place[], ids: Ids, screen: Screen, what: string) {
  const found: string[] = [];
  for (const place of list) {
    await open(page, server, place, ids);
    const { violations } = await new AxeBuilder({ page }).analyze();
    for (const { id, nodes } of violations)
      found.push(`${place.name}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  }
  expect.soft(found).toEqual([]);
  report(`Accessibility findings, ${what}, ${list.length} pages, ${screen.name}`, found.length, 0, '');
}

for (const screen of screens) {
  test(`NoPageHasAccessibilityFindings ${screen.name}`, async ({ owner, server, browser }) => {
    test.setTimeout(900_000);
    const signedOut = await browser.newContext();
    const visitor = await signedOut.newPage();
    await show(owner, screen);
    await show(visitor, screen);
    const ids = await recordIds(owner, server);
    const present = places.filter((place) => exists(place, ids));
    await check(
      owner,
      server,
      present.filter((place) => !place.signedOut),
      ids,
      screen,
      'signed in',
    );
    await check(
      visitor,
      server,
      present.filter((place) => place.signedOut),
      ids,
      screen,
      'signed out',
    );
    await check(
      owner,
      server,
      forms.filter((form) => exists(form, ids)),
      ids,
      screen,
      'forms',
    );

    const ready = await makeReady(owner, server);
    const later = { ...(await recordIds(owner, server)), ...ready };
    const isNew = (place: Place) => !exists(place, ids) && exists(place, later);
    await check(
      owner,
      server,
      [...laterPlaces, ...[...places, ...forms].filter(isNew)].filter((place) => !place.signedOut),
      later,
      screen,
      'administrator',
    );
    await check(
      visitor,
      server,
      laterPlaces.filter((place) => place.signedOut),
      later,
      screen,
      'invited',
    );
    await signedOut.close();
  });
}
