import { Refusal } from '~/account/Refusal';
import { client } from '~/api/client';
import { storeFile } from '~/api/upload';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { words } from '~/format/words';
import { useOpenPosting } from '~/posting/useOpenPosting';
import { useMayPost } from '~/posting/usePostings';
import { useCompany } from '~/shell/company';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Facts } from '~/ui/Page';
import { useAction } from './useAction';

/** The facts of the company, and its logo. */
export function CompanyTab() {
  const company = useCompany();
  const { past } = useDay();
  const may = useMayPost();
  const open = useOpenPosting();
  const logo = useAction(async (file: File) => {
    const stored = await storeFile(company.id, file);
    await client.PATCH('/organization/{organization}', {
      params: { path: { organization: company.id } },
      body: { logo: stored.id },
    });
  }, 'Logo saved');
  const user = useUser();
  const owner = user.organizations?.some(({ id, roles }) => id === company.id && roles?.includes('Owner'));
  const secondPerson = useAction(async (required: boolean) => {
    await client.PATCH('/organization/{organization}', {
      params: { path: { organization: company.id } },
      body: { secondPerson: required },
    });
  }, 'Setting saved');
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
          ['Second person', company.secondPerson ? 'Required for entries by which their author gains' : 'Not required'],
          company.storage === 'officeSuite' && (['Documents', 'In the office suite'] as const),
        ]}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        {may('changeCompany') && <Button onClick={() => open('changeCompany', company.id)}>Edit company</Button>}
        {may('changeCertificates') && (
          <Button onClick={() => open('changeCertificates', company.id)}>Shares and certificates</Button>
        )}
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
        {owner && !past && (
          <ConfirmButton
            label={company.secondPerson ? 'Require no second person' : 'Require a second person'}
            consequence={
              company.secondPerson
                ? 'Authors can record equity for themselves again. The other Owners get a mail.'
                : 'Nobody can record equity for themselves or accept their own exercises any more. A company with one editor can then record nothing for this person.'
            }
            onConfirm={() => secondPerson.mutate(!company.secondPerson)}
          />
        )}
        <a href="/docs" target="_blank" rel="noopener" className="btn btn-ghost">
          API reference
        </a>
      </div>
      <Refusal problem={logo.problem ?? secondPerson.problem} />
    </>
  );
}
