import type { ReactNode } from 'react';
import type { Schema } from '~/api/client';
import { counted } from '~/format/words';
import { Section } from '~/ui/Page';

type Props = { description: string; parts: Schema<'OnboardingPlan'>['unused'] };

/** The description with marks on the words that no record uses. Positions count characters, not code units. */
export function Unused({ description, parts }: Props) {
  const characters = Array.from(description);
  const shown: ReactNode[] = [];
  let end = 0;
  for (const { text, position } of parts) {
    shown.push(characters.slice(end, position).join(''));
    shown.push(
      <mark key={position} className="rounded-[3px] bg-warn-soft px-0.5 font-medium text-warn">
        {text}
      </mark>,
    );
    end = position + Array.from(text).length;
  }
  shown.push(characters.slice(end).join(''));
  return (
    <Section title="Not used from your description" detail={counted(parts.length, 'part')}>
      <p className="mb-2 max-w-2xl text-ink-3">
        No record uses the marked words. Add a record if they matter, or describe the company again.
      </p>
      <blockquote className="max-w-2xl whitespace-pre-wrap text-ink-2">{shown}</blockquote>
    </Section>
  );
}
