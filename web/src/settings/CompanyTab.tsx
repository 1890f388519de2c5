import { Refusal } from '~/account/Refusal';
import { client } from '~/api/client';
import { storeFile } from '~/api/upload';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { words } from '~/format/words';
import { useOpenPosting } from '~/posting/useOpenPosting';
import { useMayPost } from '~/posting/usePostings';
import { addressLines } from '~/records/Letterhead';
import { useCompany } from '~/shell/company';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Facts } from '~/ui/Page';
import { Part } from '~/ui/Part';
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
  const edits = company.can('editOrganizationDetails') && !past;
  return (
    <>
      <Part
        title="Company"
        help="Certificates and reports name the company by these facts."
        actions={
          may('changeCompany') && <Button onClick={() => open('changeCompany', company.id)}>Edit company</Button>
        }
      >
        <Facts
          rows={[
            ['Name', company.name],
            ['Legal name', company.legalName ?? '–'],
            ['Type', company.type ? words(company.type) : '–'],
            ['Jurisdiction', company.jurisdictionName ?? '–'],
            ['Formation', day(company.formationDate)],
            ['Currency', company.currency],
            ['Address', addressLines(company.address).join(', ') || '–'],
            ['Website', company.website ?? '–'],
            company.storage === 'officeSuite' && (['Documents', 'In the office suite'] as const),
          ]}
        />
      </Part>
      {(company.logo || edits) && (
        <Part
          title="Logo"
          help="A PNG or JPEG picture that stands for the company."
          actions={
            edits && (
              <label className="btn btn-outline cursor-default">
                {company.logo ? 'Choose another logo' : 'Choose a logo'}
                <input
                  type="file"
                  accept="image/png,image/jpeg"
                  className="sr-only"
                  onChange={(event) => event.target.files?.[0] && logo.mutate(event.target.files[0])}
                />
              </label>
            )
          }
        >
          {company.logo && (
            <img
              src={`/v1/file/${company.logo}/content`}
              alt="The logo of the company"
              className="h-16 w-40 rounded-[7px] border border-line bg-white object-contain p-2"
            />
          )}
          <Refusal problem={logo.problem} />
        </Part>
      )}
      {may('changeCertificates') && (
        <Part
          title="Certificates"
          help="Who signs certificates, what the shares are called, and whether there are parts of shares."
          actions={<Button onClick={() => open('changeCertificates', company.id)}>Shares and certificates</Button>}
        />
      )}
      <Part
        title="Second person"
        help="Somebody else then records the equity from which an author gains, and accepts the author's exercises."
        actions={
          owner &&
          !past && (
            <ConfirmButton
              label={company.secondPerson ? 'Require no second person' : 'Require a second person'}
              consequence={
                company.secondPerson
                  ? 'Authors can record equity for themselves again. The other Owners get a mail.'
                  : 'Nobody can record equity for themselves or accept their own exercises any more. A company with one editor can then record nothing for this person.'
              }
              onConfirm={() => secondPerson.mutate(!company.secondPerson)}
            />
          )
        }
      >
        <p>{company.secondPerson ? 'Required.' : 'Not required.'}</p>
        <Refusal problem={secondPerson.problem} />
      </Part>
      <Part
        title="Programs"
        help="Programs read and change the company with the token of a member."
        actions={
          <a href="/docs" target="_blank" rel="noopener" className="btn btn-outline">
            API reference
          </a>
        }
      />
    </>
  );
}
