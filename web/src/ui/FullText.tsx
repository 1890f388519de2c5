import { useEffect, useState } from 'react';

type Shown = { text: string; place: DOMRect };

const cuttable = '.truncate';

const isCut = (element: Element): boolean => element.scrollWidth > element.clientWidth;

/** Returns the texts that have no room on the screen: at the pointer, or in the element with the focus. */
function cutAt(target: Element, focused: boolean): Shown | undefined {
  const around = target.closest(cuttable);
  if (!focused && target.closest('[title]')) return undefined; // the browser shows it
  const parts = [...(around ? [around] : []), ...(focused ? target.querySelectorAll(cuttable) : [])].filter(isCut);
  const [first] = parts;
  const texts = parts.filter((part) => !parts.some((other) => other !== part && other.contains(part)));
  return first && { text: texts.map((part) => part.textContent).join(' · '), place: first.getBoundingClientRect() };
}

/** Shows the whole of a text that ends with an ellipsis, while the pointer or the focus is on it. The application has one. */
export function FullText() {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const show = ({ target, type }: Event) =>
      setShown(target instanceof Element ? cutAt(target, type === 'focusin') : undefined);
    const hide = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === 'Escape') setShown(undefined);
    };
    const listeners = [
      ['pointerover', show],
      ['focusin', show],
      ['focusout', hide],
      ['keydown', hide],
      ['scroll', hide],
    ] as const;
    for (const [type, listener] of listeners) addEventListener(type, listener, { capture: true, passive: true });
    return () => {
      for (const [type, listener] of listeners) removeEventListener(type, listener, { capture: true });
    };
  }, []);
  if (!shown) return null;
  const { text, place } = shown;
  const low = place.bottom > innerHeight - 80;
  const right = place.left > innerWidth / 2;
  return (
    <div
      aria-hidden
      data-full-text
      className="pop pointer-events-none fixed z-90 max-w-[min(480px,calc(100vw-16px))] px-2 py-1 text-xs break-words print:hidden"
      style={{
        ...(low ? { bottom: innerHeight - place.top + 2 } : { top: place.bottom + 2 }),
        ...(right ? { right: Math.max(8, innerWidth - place.right) } : { left: Math.max(8, place.left) }),
      }}
    >
      {text}
    </div>
  );
}
