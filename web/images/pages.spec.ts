import fs from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import {
  exists,
  forms,
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
import { test } from '../e2e/providers';

const folder = path.resolve('../docs/images/app');
const quality = 0.82;

/** The forms differ little between screens: each is taken once wide and light, and once narrow and dark. */
const formScreens = screens.filter((screen) => ['light-1440', 'dark-390'].includes(screen.name));

/** Writes a screenshot as WebP, which Chromium encodes. */
async function shoot(page: Page, encoder: Page, name: string): Promise<void> {
  const png = (await page.screenshot({ animations: 'disabled' })).toString('base64');
  const webp = await encoder.evaluate(
    async ([data, compression]) => {
      const bytes = Uint8Array.from(atob(data as string), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: compression as number });
      return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
    },
    [png, quality] as const,
  );
  fs.writeFileSync(path.join(folder, `${name}.webp`), Buffer.from(webp, 'base64'));
}

test('every page', async ({ owner, server, browser, context }) => {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const encoder = await context.newPage();
  const visitor = await browser.newPage();
  let ids = await recordIds(owner, server);
  const take = async (list: Place[], on: readonly Screen[]) => {
    for (const screen of on) {
      await show(owner, screen);
      await show(visitor, screen);
      for (const place of list.filter((one) => exists(one, ids))) {
        const page = place.signedOut ? visitor : owner;
        await open(page, server, place, ids);
        await shoot(page, encoder, `${place.name}-${screen.name}`);
      }
    }
  };
  await take(places, screens);
  await take(forms, formScreens);
  const missing = (place: Place) => !exists(place, ids);
  const laterForms = forms.filter(missing);
  const later = [...laterPlaces, ...places.filter(missing)];
  const ready = await makeReady(owner, server);
  ids = { ...(await recordIds(owner, server)), ...ready };
  await take(later, screens);
  await take(laterForms, formScreens);
});
