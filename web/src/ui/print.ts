import { useEffect, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

let printing = false;

function subscribe(changed: () => void) {
  const set = ({ type }: Event) => {
    printing = type === 'beforeprint';
    flushSync(changed); // the browser prints the document as it is after the event
  };
  addEventListener('beforeprint', set);
  addEventListener('afterprint', set);
  return () => {
    removeEventListener('beforeprint', set);
    removeEventListener('afterprint', set);
  };
}

/** Reports whether the page is being printed. Parts that show a section of their content on a screen show all of it. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => printing);

const quoted = (text: string): string =>
  `"${text.replace(/["\\\n]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;

/** Returns the style of printed pages with texts in their upper margin. */
export const marginsOf = (left: string, right: string): string =>
  `@page { @top-left { content: ${quoted(left)} } @top-right { content: ${quoted(right)} } }`;

/** Prints texts in the upper margin of each page. The number of the page stands in the lower one. */
export function usePrintedMargins(left: string, right: string): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet(); // the policy of the app permits no style elements
    sheet.replaceSync(marginsOf(left, right));
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [left, right]);
}
