/** A certificate number: letters, a hyphen and digits, such as CS-12 or PREF-A-3. */
const certificate =
  /(?<![\p{L}\p{N}-])(\p{L}[\p{L}\p{N}]{0,11}(?:-[\p{L}\p{N}]{1,11}){0,2}-\p{N}{1,11})(?![\p{L}\p{N}-])/u;

/** A text whose certificate numbers do not break at their hyphens. */
export function Unbroken({ text }: { text: string }) {
  const parts = text.split(certificate);
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={`${part} ${index.toString()}`} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}
