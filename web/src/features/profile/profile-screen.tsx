import type { User } from '@meetmark/contracts';
import { profileText as text } from '@meetmark/contracts/texts/profile';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import cards from '../../ui/card.module.css';
import { Dialog, DialogActions } from '../../ui/dialog';
import { CameraIcon } from '../../ui/icons';
import { Avatar, Badge } from '../../ui/marks';
import { inThisTab, persist, readPersisted } from '../../ui/persisted-state';
import { PictureInput } from '../../ui/picture-input';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import { useFormats } from '../../ui/use-formats';
import { useMember } from '../auth/session';
import { SecurityCard } from './security-card';
import { SessionsCard } from './sessions-card';
import { AccountCard } from './account-card';
import { CalendarFeedCard } from './calendar-feed-card';
import { EventRolesCard } from './event-roles-card';
import { FollowCard } from './follow-card';
import { LanguageCard } from './language-card';
import { MailPreferencesCard } from './mail-preferences-card';
import { type ProfileFields, profileFieldsOf } from './profile.api';
import styles from './profile.module.css';
import { VisibilityCard } from './visibility-card';

/** The draft and the account that it started from, which may be fetched again meanwhile. */
interface Editing {
  base: User;
  draft: ProfileFields;
}

const begin = (user: User): Editing => ({ base: user, draft: profileFieldsOf(user) });

/** View and edit mode of one's own profile; a draft holds what is typed until Cancel. */
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
  // A click calls it directly: browsers open a file picker only then.
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
          <EventRolesCard />
          <VisibilityCard user={user} />
          <LanguageCard user={user} />
          <FollowCard />
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

const PORTRAIT_SIZE = 132;

interface AvatarCardProps {
  user: User;
  draft: ProfileFields | null;
  pick: () => void;
  remove: () => void;
}

function AvatarCard({ user, draft, pick, remove }: AvatarCardProps) {
  const formats = useFormats();
  const shown = draft ?? user;
  return (
    <section className={`${cards.card} ${styles.portrait}`}>
      <Avatar person={shown} size={PORTRAIT_SIZE} />
      <div>
        <h2>
          {user.firstName} {user.lastName}
        </h2>
        <p className={styles.email}>{user.email}</p>
      </div>
      <Badge tone={user.role === 'member' ? 'good' : 'accent'}>{text.roles[user.role]}</Badge>
      <p className={styles.soft}>{text.memberSince({ date: formats.shortDate(user.createdAt) })}</p>
      {draft && (
        <>
          <Button icon={<CameraIcon size={18} />} onClick={pick}>
            {shown.profileImageUrl ? text.changePicture : text.choosePicture}
          </Button>
          {shown.profileImageUrl && (
            <Button type="text" onClick={remove}>
              {text.removePicture}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

/** The key under which this browser session notes that it has asked. */
const ASKED = 'profile-picture-prompt';

/** Asks members without a picture for one, once a session. */
function PicturePrompt({ user, add }: { user: User; add: () => void }) {
  const [open, setOpen] = useState(() => !user.profileImageUrl && !readPersisted(ASKED, inThisTab));
  // The effect notes that the question is asked: a discarded rendering must not use it up.
  useEffect(() => {
    if (open) persist(ASKED, 'shown', inThisTab);
  }, [open]);
  if (!open) return null;
  return (
    <Dialog title={text.promptTitle} close={() => setOpen(false)} width={440} compact>
      {(dismiss) => (
        <>
          <p>{text.prompt}</p>
          <DialogActions>
            <Button onClick={dismiss}>{text.promptLater}</Button>
            <Button
              type="primary"
              onClick={() => {
                add();
                dismiss();
              }}
            >
              {text.promptAdd}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
