import { TextField } from './TextField';

/** The field for the code of the second factor. */
export function CodeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      label="Code"
      name="twoFactorToken"
      help="From your authenticator app, or a recovery code."
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      value={value}
      onChange={onChange}
    />
  );
}
