import { Link } from '@tanstack/react-router';
import { Building2, type LucideIcon, Mail } from 'lucide-react';
import { useUser } from '~/shell/user';
import { Part } from '~/ui/Part';

type Step = { icon: LucideIcon; title: string; text: string };

function StepText({ icon: Icon, title, text }: Step) {
  return (
    <div className="flex gap-3">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-[7px] bg-active text-ink-2">
        <Icon size={18} />
      </span>
      <div className="min-w-0">
        <h3 className="font-medium">{title}</h3>
        <p className="mt-0.5 text-ink-3">{text}</p>
      </div>
    </div>
  );
}

/** Home of a user without a company: the ways to one. */
export function NoCompany() {
  const { email } = useUser();
  return (
    <Part title="You belong to no company yet" help="Begin one, or join the company that invited you.">
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-4 rounded-[10px] border border-line p-4">
          <div className="min-w-0 flex-1 basis-72">
            <StepText
              icon={Building2}
              title="Begin a company"
              text="Describe it in a sentence, or bring a spreadsheet or an Open Cap Format package. You check everything before it is recorded."
            />
          </div>
          <Link to="/start" className="btn btn-primary">
            New company
          </Link>
        </div>
        <div className="rounded-[10px] border border-line p-4">
          <StepText
            icon={Mail}
            title="Join a company"
            text={`Invitations to ${email} appear on this page. Open the link in the mail if you were invited at another address.`}
          />
        </div>
      </div>
    </Part>
  );
}
