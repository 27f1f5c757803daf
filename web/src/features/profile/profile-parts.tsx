import type { ReactNode } from 'react';
import { useMember } from '../auth/session';
import { CalendarFeedCard } from './calendar-feed-card';
import { DeleteAccountCard } from './delete-account';
import { DownloadDataCard } from './download-data';
import { EventRolesCard } from './event-roles-card';
import { FollowCard } from './follow-card';
import { LanguageCard } from './language-card';
import { MailPreferencesCard } from './mail-preferences-card';
import { ProfileHeading } from './profile-heading';
import styles from './profile.module.css';
import { SecurityCard } from './security-card';
import { SessionsCard } from './sessions-card';
import { VisibilityCard } from './visibility-card';

const Cards = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>;

export const Notifications = () => (
  <>
    <ProfileHeading part="notifications" />
    <Cards>
      <MailPreferencesCard />
      <FollowCard />
      <CalendarFeedCard />
      <LanguageCard user={useMember()} />
    </Cards>
  </>
);

export const Privacy = () => (
  <>
    <ProfileHeading part="privacy" />
    <Cards>
      <VisibilityCard user={useMember()} />
      <EventRolesCard />
      <DownloadDataCard />
      <DeleteAccountCard />
    </Cards>
  </>
);

export const Security = () => (
  <>
    <ProfileHeading part="security" />
    <Cards>
      <SecurityCard />
      <SessionsCard />
    </Cards>
  </>
);
