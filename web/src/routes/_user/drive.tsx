import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Refusal } from '~/account/Refusal';
import { client } from '~/api/client';
import { companyOfConnection } from '~/settings/driveConnection';
import { useAction } from '~/settings/useAction';
import { useAddress } from '~/shell/address';
import { Banner } from '~/ui/Notice';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/drive')({ component: DrivePage });

/** The page to which a cloud drive redirects. It connects the company, and returns to the company's settings. */
function DrivePage() {
  const [{ code, state }] = useAddress();
  const organization = companyOfConnection();
  const navigate = useNavigate();
  const connect = useAction(
    (body: { organization: string; code: string; state?: string }) =>
      client.POST('/organization/{organization}/cloud-drive/connect', {
        params: { path: { organization: body.organization } },
        body,
      }),
    'Drive connected',
  );
  const { mutate } = connect;
  const sent = useRef(false);
  useEffect(() => {
    if (!organization || !code || sent.current) return;
    sent.current = true; // a code is valid once
    mutate(
      { organization, code, ...(state && { state }) },
      {
        onSuccess: () =>
          navigate({
            to: '/company/$organization/settings',
            params: { organization },
            search: { tab: 'drive' },
            replace: true,
          }),
      },
    );
  }, [organization, code, state, mutate, navigate]);
  return (
    <Page title="Cloud drive">
      <div className="flex max-w-md flex-col items-start gap-4">
        {connect.problem ? (
          <Refusal problem={connect.problem} />
        ) : organization && code ? (
          <p aria-busy>Connecting the drive…</p>
        ) : (
          <Banner tone="warn">
            {organization
              ? 'The drive did not permit the access.'
              : 'Begin in the settings of a company, with “Cloud drive”.'}
          </Banner>
        )}
        {organization && (connect.problem || !code) && (
          <Link
            to="/company/$organization/settings"
            params={{ organization }}
            search={{ tab: 'drive' }}
            className="btn btn-outline"
          >
            Back to the settings
          </Link>
        )}
      </div>
    </Page>
  );
}
