import type { Page } from '@playwright/test';

/** Returns the names of the controls that the shown message covers, of those that could be used without it. */
export const coveredControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const messages = document.querySelector<HTMLElement>('[data-messages]');
    const shown = messages?.getBoundingClientRect();
    if (!messages || !shown || shown.height === 0) return ['no message'];
    messages.style.visibility = 'hidden';
    const covered = [...document.querySelectorAll<HTMLElement>('button, a[href], input, textarea, [role=combobox]')]
      .filter((control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        const x = (Math.max(left, shown.left) + Math.min(right, shown.right)) / 2;
        const y = (Math.max(top, shown.top) + Math.min(bottom, shown.bottom)) / 2;
        const meets = left < shown.right && right > shown.left && top < shown.bottom && bottom > shown.top;
        return meets && !messages.contains(control) && control.contains(document.elementFromPoint(x, y));
      })
      .map((control) => control.textContent || control.getAttribute('aria-label') || control.tagName);
    messages.style.visibility = '';
    return covered;
  });
