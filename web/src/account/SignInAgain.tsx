import { Dialog } from '@base-ui/react/dialog';
import type { Schema } from '~/api/client';
import { SignInForm } from './SignInForm';

type Props = { user: Schema<'User'>; onEntered: (user: Schema<'User'>) => void };

/** The sign-in over a page whose session has ended. It covers the figures of the page, and stays until the user has signed in. */
export default function SignInAgain({ user, onEntered }: Props) {
  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-80 bg-canvas" />
        <Dialog.Popup
          className="pop fixed inset-x-4 top-[12vh] z-80 mx-auto max-h-[84dvh] max-w-sm overflow-y-auto p-6 outline-none max-[900px]:top-4"
          onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()} // it would close a form below
        >
          <Dialog.Title className="text-lg font-semibold tracking-[-0.01em]">You were signed out</Dialog.Title>
          <Dialog.Description className="mt-1 mb-4 text-ink-2">
            Sign in to continue. The page keeps what you entered.
          </Dialog.Description>
          <SignInForm email={user.email} fixed onEntered={onEntered} />
          <p className="mt-4 flex flex-wrap gap-x-4 text-ink-2">
            <a href="/login" target="_blank" rel="noreferrer" className="text-accent hover:underline">
              Other ways to sign in
            </a>
            <a href="/login" className="text-accent hover:underline">
              Use another account
            </a>
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
