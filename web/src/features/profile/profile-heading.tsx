import { profileText as text } from '@meetmark/i18n/texts/profile';
import { PageTabs } from '../../ui/page-tabs';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import styles from './profile.module.css';

export const PARTS = {
  profile: '/profile',
  notifications: '/profile/notifications',
  privacy: '/profile/privacy',
  security: '/profile/security',
} as const;
type Part = keyof typeof PARTS;

const TABS = (Object.keys(PARTS) as Part[]).map((part) => ({ to: PARTS[part], label: text.parts[part] }));

export function ProfileHeading({ part }: { part: Part }) {
  const title = part === 'profile' ? text.title : text.parts[part];
  usePageTitle(title);
  return (
    <div className={styles.top}>
      <ScreenHeading title={title}>
        <PageTabs label={text.title} tabs={TABS} />
      </ScreenHeading>
    </div>
  );
}
