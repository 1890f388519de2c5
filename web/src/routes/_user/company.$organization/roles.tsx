import { createFileRoute } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { useDay } from '~/day/day';
import { words } from '~/format/words';
import { PlaceLink } from '~/journal/PlaceLink';
import { useRecordPostings } from '~/posting/usePostings';
import { CreateButtons } from '~/records/RecordList';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Menu } from '~/ui/Menu';
import { Failure } from '~/ui/Notice';
import { Page } from '~/ui/Page';
import { Table } from '~/ui/Table';

export const Route = createFileRoute('/_user/company/$organization/roles')({
  component: RolesPage,
  staticData: { undated: 'asOf' },
});

type Role = Schema<'Role'>;

/** The roles with their permissions as a matrix. */
function RolesPage() {
  const company = useCompany();
  const { knownAt } = useDay();
  const roles = useList('/organization/{organization}/role', {
    path: { organization: company.id },
    query: { knownAt },
  });
  if (roles.error) return <Failure what="The roles" error={roles.error} retry={roles.refetch} />;
  const permissions = [...new Set(roles.rows.flatMap((role) => role.permissions))];
  return (
    <Page
      title="Roles"
      subtitle={
        company.can('viewMembers') && (
          <PlaceLink place={{ page: 'stakeholders' }} className="hover:underline">
            Stakeholders
          </PlaceLink>
        )
      }
      actions={<CreateButtons postings={['createRole']} />}
    >
      <Table
        label="Permissions by role"
        rows={permissions}
        rowKey={(permission) => permission}
        columns={[
          { header: 'Permission', cell: (permission) => words(permission) },
          ...roles.rows.map((role) => ({
            header: role.name,
            title: role.builtIn ? undefined : <RoleMenu role={role} />,
            cell: (permission: (typeof permissions)[number]) =>
              role.permissions.includes(permission) ? (
                <Check size={15} aria-label="Yes" />
              ) : (
                <span className="sr-only">No</span>
              ),
          })),
        ]}
      />
    </Page>
  );
}

/** The name of a role of the company, with a menu of its changes. */
function RoleMenu({ role }: { role: Role }) {
  const postings = useRecordPostings('role', role);
  if (postings.length === 0) return role.name;
  return <Menu trigger={<Button look="ghost">{role.name}</Button>} items={postings} />;
}
