import { type RefObject, useLayoutEffect } from 'react';

type Size = { width: number; height: number };

/** The edges of an element in the window. */
export type Box = { left: number; right: number; bottom: number };

/** ToastPosition is the place of the message, and the height that the part of the page beside it gives up. */
export type ToastPosition = { right: number; bottom: number; width: number; room: number };

const widest = 320;
const gap = 8;

/**
 * Returns the place of a message of some height. Over a page it stands below the sheet, which becomes shorter. It stands beside an open
 * drawer, over the page that cannot be used meanwhile; where it has no space there, it stands above the footer of the drawer, whose content
 * becomes shorter. So a message never covers a button.
 */
export function positionOf(page: Size, height: number, sheet: Box, drawer?: Box & { footer: number }): ToastPosition {
  const within = (box: Box) => Math.min(widest, box.right - box.left - 2 * gap);
  if (!drawer) return { right: page.width - sheet.right + gap, bottom: gap, width: within(sheet), room: height + gap };
  if (drawer.left >= widest + 2 * gap)
    return { right: page.width - drawer.left + gap, bottom: gap, width: widest, room: 0 };
  const bottom = page.height - drawer.bottom + drawer.footer + gap;
  return { right: page.width - drawer.right + gap, bottom, width: within(drawer), room: height + gap };
}

/** Returns the edges of an element without the movement of its entrance. */
const boxOf = (element: HTMLElement): Box => ({
  left: element.offsetLeft,
  right: element.offsetLeft + element.offsetWidth,
  bottom: element.offsetTop + element.offsetHeight,
});

const variable = '--toast-room';

/** Places the element of the messages while one is shown, and takes the room for it from the page or from the open drawer. */
export function useToastPlace(messages: RefObject<HTMLElement | null>, shown: boolean) {
  useLayoutEffect(() => {
    const element = messages.current;
    if (!element || !shown) return;
    let host: HTMLElement | null = null;
    const place = () => {
      const main = document.querySelector<HTMLElement>('#main');
      const drawer = [...document.querySelectorAll<HTMLElement>('.drawer')].at(-1);
      const page = { width: window.innerWidth, height: window.innerHeight };
      const sheet = main ? boxOf(main) : { left: 0, right: page.width, bottom: page.height };
      const footer = drawer?.querySelector<HTMLElement>(':scope > footer')?.offsetHeight ?? 0;
      const { right, bottom, width, room } = positionOf(
        page,
        element.offsetHeight,
        sheet,
        drawer && { ...boxOf(drawer), footer },
      );
      Object.assign(element.style, { right: `${right}px`, bottom: `${bottom}px`, width: `${width}px` });
      const next = drawer ?? main;
      if (host !== next) host?.style.removeProperty(variable);
      host = next ?? null;
      host?.style.setProperty(variable, `${room}px`);
    };
    place();
    const resized = new ResizeObserver(place);
    resized.observe(element);
    const opened = new MutationObserver(place); // drawers are added at the end of the document
    opened.observe(document.body, { childList: true, subtree: false });
    window.addEventListener('resize', place);
    return () => {
      resized.disconnect();
      opened.disconnect();
      window.removeEventListener('resize', place);
      host?.style.removeProperty(variable);
    };
  }, [messages, shown]);
}
