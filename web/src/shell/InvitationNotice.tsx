import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useInvitations } from '~/portfolio/useInvitations';
import { IconButton } from '~/ui/Button';

/** States on the pages of a company that an invitation to another one is open. Home, where it is answered, may not have been seen. */
export function InvitationNotice() {
  const { rows } = useInvitations();
  const [hidden, setHidden] = useState(false);
  const [first, ...others] = rows;
  if (hidden || !first) return null;
  return (
    <div
      role="status"
      className="flex min-h-10 flex-wrap items-center gap-x-3 bg-accent-soft px-8 py-1 max-[900px]:px-4 print:hidden"
    >
      <span>
        You are invited to {first.organization.name}
        {others.length > 0 && ` and ${others.length} more`}.
      </span>
      <Link to="/" className="shrink-0 font-medium text-accent hover:underline">
        {others.length > 0 ? 'Open the invitations' : 'Open the invitation'}
      </Link>
      <IconButton label="Hide the invitation" className="ml-auto" onClick={() => setHidden(true)}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
