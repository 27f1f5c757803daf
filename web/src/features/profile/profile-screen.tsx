import type { User } from '@meetmark/contracts';
import { useRef, useState } from 'react';
import { profileText as text } from '../../strings/profile';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import { PictureInput } from '../../ui/picture-input';
import { useMember } from '../auth/session';
import { SecurityCard } from '../security/security-card';
import { SessionsCard } from '../security/sessions-card';
import { AccountCard } from './account-card';
import { AvatarCard } from './avatar-card';
import { CalendarFeedCard } from './calendar-feed-card';
import { MailPreferencesCard } from './mail-preferences-card';
import { PicturePrompt } from './picture-prompt';
import { profileFieldsOf, type ProfileFields } from './profile.api';
import styles from './profile.module.css';

/** What is edited and what it was, by when it was read: the account may be read anew meanwhile. */
interface Editing {
  base: User;
  draft: ProfileFields;
}

const begin = (user: User): Editing => ({ base: user, draft: profileFieldsOf(user) });

/** View and edit mode of one's own profile; what is typed is kept as a draft and thrown away by Cancel. */
export default function ProfileScreen() {
  usePageTitle(text.title);
  const user = useMember();
  const picker = useRef<HTMLInputElement>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const draft = editing?.draft ?? null;

  const edit = () => setEditing((current) => current ?? begin(user));
  const changeDraft = (changed: Partial<ProfileFields>) =>
    setEditing((current) => {
      const { base, draft: before } = current ?? begin(user);
      return { base, draft: { ...before, ...changed } };
    });
  // Called straight from a click, without which browsers do not open a file picker.
  const pickPicture = () => {
    edit();
    picker.current?.click();
  };

  return (
    <>
      <ScreenHeading title={text.title} />
      <PictureInput
        ref={picker}
        label={text.choosePicture}
        choose={(profileImageUrl) => changeDraft({ profileImageUrl })}
      />
      <div className={styles.columns}>
        <AvatarCard
          user={user}
          draft={draft}
          pick={pickPicture}
          remove={() => changeDraft({ profileImageUrl: null })}
        />
        <div className={styles.stack}>
          <AccountCard
            user={user}
            editing={editing}
            edit={edit}
            change={changeDraft}
            rebase={(present) => setEditing(begin(present))}
            leaveEditing={() => setEditing(null)}
          />
          <MailPreferencesCard />
          <CalendarFeedCard />
          <SecurityCard />
          <SessionsCard />
        </div>
      </div>
      <PicturePrompt user={user} add={pickPicture} />
    </>
  );
}
