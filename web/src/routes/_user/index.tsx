import { createFileRoute, Link } from '@tanstack/react-router';
import { useUser } from '~/shell/user';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/')({ component: Home });

function Home() {
  const { organizations = [] } = useUser();
  return (
    <Page title="Home">
      <ul>
        {organizations.map((one) => (
          <li key={one.id}>
            <Link
              to="/company/$organization/captable"
              params={{ organization: one.id }}
              className="font-medium text-accent hover:underline"
            >
              {one.name}
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
