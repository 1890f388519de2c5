import { Refusal } from '~/account/Refusal';
import { client } from '~/api/client';
import { readProblem } from '~/api/problem';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { words } from '~/format/words';
import { useMayPost, useOpenPosting } from '~/posting/usePostings';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Facts } from '~/ui/Page';
import { useAction } from './useAction';

/** The facts of the company, and its logo. */
export function CompanyTab() {
  const company = useCompany();
  const { past } = useDay();
  const may = useMayPost();
  const open = useOpenPosting();
  const logo = useAction(async (file: File) => {
    const body = new FormData();
    body.append('file', file);
    const response = await fetch(`/v1/organization/${company.id}/file`, { method: 'POST', body });
    if (!response.ok) throw await readProblem(response);
    const stored = await response.json();
    await client.PATCH('/organization/{organization}', {
      params: { path: { organization: company.id } },
      body: { logo: stored.id },
    });
  }, 'Logo saved');
  const address = company.address;
  return (
    <>
      <Facts
        rows={[
          ['Name', company.name],
          ['Legal name', company.legalName ?? '–'],
          ['Type', company.type ? words(company.type) : '–'],
          ['Jurisdiction', company.jurisdiction ?? '–'],
          ['Formation', day(company.formationDate)],
          ['Currency', company.currency],
          [
            'Address',
            address
              ? [address.street1, address.postalCode, address.city, address.country].filter(Boolean).join(', ')
              : '–',
          ],
          ['Website', company.website ?? '–'],
        ]}
      />
      <div className="mt-4 flex gap-2">
        {may('changeCompany') && <Button onClick={() => open('changeCompany', company.id)}>Edit company</Button>}
        {company.can('editOrganizationDetails') && !past && (
          <label className="btn btn-outline cursor-default">
            Choose a logo
            <input
              type="file"
              accept="image/png,image/jpeg"
              className="sr-only"
              onChange={(event) => event.target.files?.[0] && logo.mutate(event.target.files[0])}
            />
          </label>
        )}
        <a href="/docs" target="_blank" rel="noopener" className="btn btn-ghost">
          API reference
        </a>
      </div>
      <Refusal problem={logo.problem} />
    </>
  );
}
