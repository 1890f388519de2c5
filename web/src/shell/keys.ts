import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { onSameDay } from '~/day/day';
import type { Company } from './company';
import { pagesOf } from './pages';

const sequence = 900; // milliseconds between "g" and the second key

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input,textarea,select,[contenteditable],[role=dialog],[role=listbox],[role=menu]') !== null;

/** Sends the form with the focus by its own button, which may be outside of it, and disabled. */
function sendForm(target: EventTarget | null): void {
  const form = target instanceof Element ? target.closest('form') : null;
  if (!form) return;
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('button[type=submit]')];
  buttons.find((button) => button.form === form)?.click();
}

/** Handles the keys of the whole application: ⌘K, ⌘J, ⌘Enter, "/", "?" and "g" followed by the key of a page. */
export function useKeys(
  company: Company | undefined,
  openPalette: () => void,
  toggleAssistant: () => void,
  showKeys: () => void,
): void {
  const navigate = useNavigate();
  const pressed = useRef(0);
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((event.metaKey || event.ctrlKey) && key === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      if ((event.metaKey || event.ctrlKey) && key === 'j') {
        event.preventDefault();
        toggleAssistant();
        return;
      }
      if ((event.metaKey || event.ctrlKey) && key === 'enter') {
        sendForm(event.target);
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || typing(event.target)) return;
      if (key === '/') {
        const search = document.querySelector<HTMLInputElement>('[data-search]');
        if (search) event.preventDefault();
        search?.focus();
        return;
      }
      if (key === '?') {
        showKeys();
        return;
      }
      const second = event.timeStamp - pressed.current < sequence;
      pressed.current = key === 'g' && !second ? event.timeStamp : 0;
      if (!second) return;
      if (key === 'h') navigate({ to: '/' });
      const page = company && pagesOf(company).find((one) => one.key === key);
      if (page) navigate({ to: `/company/${company.id}/${page.to}`, search: onSameDay() });
    };
    window.addEventListener('keydown', handle);
    return () => window.removeEventListener('keydown', handle);
  }, [navigate, company, openPalette, toggleAssistant, showKeys]);
}
