import { createFileRoute } from '@tanstack/react-router';
import { useDay } from '~/day/day';
import { BillingTab } from '~/settings/BillingTab';
import { CompanyTab } from '~/settings/CompanyTab';
import { DriveTab } from '~/settings/DriveTab';
import { HooksTab } from '~/settings/HooksTab';
import { IntegrationsTab } from '~/settings/IntegrationsTab';
import { Tabs } from '~/settings/Tabs';
import { WebhooksTab } from '~/settings/WebhooksTab';
import { useCompany } from '~/shell/company';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/settings')({
  component: CompanySettingsPage,
  staticData: { undated: 'all' },
});

/** The settings of the company and its integrations. Parts whose feature is off are absent. */
function CompanySettingsPage() {
  const company = useCompany();
  const edits = company.can('editOrganizationDetails');
  const { past } = useDay();
  return (
    <Page title="Company settings">
      <Tabs
        off={past}
        tabs={[
          { id: 'company', label: 'Company', content: <CompanyTab /> },
          company.has('billing') &&
            company.can('editBilling') && { id: 'billing', label: 'Billing', content: <BillingTab /> },
          edits && { id: 'webhooks', label: 'Webhooks', content: <WebhooksTab />, dated: true },
          edits && company.has('hooks') && { id: 'hooks', label: 'Inbound hooks', content: <HooksTab /> },
          company.has('drive') &&
            (edits || company.can('editDocuments')) && { id: 'drive', label: 'Cloud drive', content: <DriveTab /> },
          edits && { id: 'integrations', label: 'Integrations', content: <IntegrationsTab /> },
        ]}
      />
    </Page>
  );
}
