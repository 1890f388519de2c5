import { createFileRoute } from '@tanstack/react-router';
import { DataTab } from '~/settings/DataTab';
import { ProfileTab } from '~/settings/ProfileTab';
import { RewardsTab } from '~/settings/RewardsTab';
import { SecondFactorTab } from '~/settings/SecondFactorTab';
import { SessionsTab } from '~/settings/SessionsTab';
import { Tabs } from '~/settings/Tabs';
import { TokensTab } from '~/settings/TokensTab';
import { useUser } from '~/shell/user';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/settings')({ component: SettingsPage });

/** The settings of the user. */
function SettingsPage() {
  const user = useUser();
  return (
    <Page title="Your settings" subtitle={user.email}>
      <Tabs
        tabs={[
          { id: 'profile', label: 'Profile', content: <ProfileTab /> },
          { id: 'sessions', label: 'Sessions', content: <SessionsTab /> },
          { id: 'factor', label: 'Second factor', content: <SecondFactorTab /> },
          { id: 'tokens', label: 'API tokens', content: <TokensTab /> },
          { id: 'rewards', label: 'Wallets and rewards', content: <RewardsTab /> },
          { id: 'data', label: 'Your data', content: <DataTab /> },
        ]}
      />
    </Page>
  );
}
