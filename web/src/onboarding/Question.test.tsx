import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import type { Schema } from '~/api/client';

const question = (changes: Partial<Schema<'OnboardingQuestion'>>): Schema<'OnboardingQuestion'> => ({
  questionId: 'q',
  text: 'How many shares are authorized?',
  kind: 'number',
  options: [],
  required: true,
  ...changes,
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Shows the question to a reader of a locale. Returns its input, its button, and the given answers. */
async function shown(language: string, of: Schema<'OnboardingQuestion'>) {
  vi.stubGlobal('navigator', { language, clipboard: navigator.clipboard, userAgent: navigator.userAgent });
  vi.resetModules();
  const { Question } = await import('./Question');
  const answers: string[] = [];
  render(<Question question={of} error={null} busy={false} onAnswer={(answer) => answers.push(answer)} />);
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Answer' });
  return { input: screen.getByLabelText<HTMLInputElement>(/authorized/), button, answers };
}

it('reads the number of a German reader in the German form', async () => {
  const user = userEvent.setup();
  const { input, button, answers } = await shown('de-DE', question({ default: '10000000' }));
  expect(input.value).toBe('10.000.000');
  expect(screen.getByText('Assumed: 10.000.000')).toBeTruthy();
  await user.clear(input);
  await user.type(input, '1.234.567');
  await user.click(button);
  await user.clear(input);
  await user.type(input, '1 234 567,5');
  await user.click(button);
  expect(answers).toEqual(['1234567', '1234567.5']);
});

it('does not send a number in another form', async () => {
  const user = userEvent.setup();
  const { input, button, answers } = await shown('en-US', question({}));
  await user.type(input, '1 234 567,5');
  await user.tab();
  expect(button.disabled).toBe(true);
  expect(screen.getByRole('alert').textContent).toBe('Write the number like 12,345.5.');
  await user.type(input, '{Enter}');
  expect(answers).toEqual([]);
});

it('sends a text as it is', async () => {
  const user = userEvent.setup();
  const { input, button, answers } = await shown('de-DE', question({ kind: 'text' }));
  await user.type(input, '1.234 Main Street');
  await user.click(button);
  expect(answers).toEqual(['1.234 Main Street']);
});
