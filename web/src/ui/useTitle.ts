import { useEffect } from 'react';

/** The titles of what is shown: the page first, then what is open above it. */
const shown: { text: string }[] = [];

const update = () => {
  document.title = shown
    .map(({ text }) => text)
    .reverse()
    .join(' · ');
};

/** Names a page, or a record that is open above it, in the title of the window. */
export function useTitle(text: string, above = false): void {
  useEffect(() => {
    const entry = { text };
    if (above) shown.push(entry);
    else shown.unshift(entry); // the effect of a page runs after those of its parts
    update();
    return () => {
      shown.splice(shown.indexOf(entry), 1);
      update();
    };
  }, [text, above]);
}
