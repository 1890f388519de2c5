import { notify } from './notify';

/** Copies a text and shows a message: `done`, or the reason why the browser refused it. */
export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify({ title: done });
  } catch {
    notify({
      title: 'The text was not copied',
      description: 'The browser did not allow access to the clipboard. Allow it for this site and copy again.',
      bad: true,
    });
  }
}
