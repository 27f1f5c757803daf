import type { User } from '@meetmark/contracts';
import { profileText as text } from '@meetmark/i18n/texts/profile';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import cards from '../../ui/card.module.css';
import { Dialog, DialogButtons } from '../../ui/dialog';
import { CameraIcon } from '../../ui/more-icons';
import { Avatar, Badge } from '../../ui/marks';
import { inThisTab, persist, readPersisted } from '../../ui/persisted-state';
import { PictureInput } from '../../ui/picture-input';
import { useFormats } from '../../ui/use-formats';
import { useMember } from '../auth/session';
import VerificationNotice from '../auth/verification-notice';
import { AccountCard } from './account-card';
import { PARTS, ProfileHeading } from './profile-heading';
import { Notifications, Privacy, Security } from './profile-parts';
import { type ProfileFields, toProfileFields } from './profile.api';
import styles from './profile.module.css';

interface Editing {
  base: User;
  draft: ProfileFields;
}

const begin = (user: User): Editing => ({ base: user, draft: toProfileFields(user) });

export default function ProfileScreen() {
  switch (useLocation().pathname) {
    case PARTS.notifications:
      return <Notifications />;
    case PARTS.privacy:
      return <Privacy />;
    case PARTS.security:
      return <Security />;
    default:
      return <Profile />;
  }
}

function Profile() {
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
  const pickPicture = () => {
    edit();
    picker.current?.click();
  };

  return (
    <>
      <ProfileHeading part="profile" />
      <VerificationNotice />
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
        <AccountCard
          user={user}
          editing={editing}
          edit={edit}
          change={changeDraft}
          rebase={(present) => setEditing(begin(present))}
          leaveEditing={() => setEditing(null)}
        />
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
        <p className="soft anywhere">{user.email}</p>
      </div>
      <Badge tone={user.role === 'member' ? 'good' : 'accent'}>{text.roles[user.role]}</Badge>
      <p className="soft small">{text.memberSince({ date: formats.shortDate(user.createdAt) })}</p>
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

const ASKED = 'profile-picture-prompt';

function PicturePrompt({ user, add }: { user: User; add: () => void }) {
  const [open, setOpen] = useState(() => !user.profileImageUrl && !readPersisted(ASKED, inThisTab));
  // stored in an effect, because React may discard a rendering before the prompt is shown
  useEffect(() => {
    if (open) persist(ASKED, 'shown', inThisTab);
  }, [open]);
  if (!open) return null;
  return (
    <Dialog title={text.promptTitle} close={() => setOpen(false)} width={440} compact>
      {(dismiss) => (
        <>
          <p>{text.prompt}</p>
          <DialogButtons
            dismiss={dismiss}
            keep={text.promptLater}
            onClick={() => {
              add();
              dismiss();
            }}
          >
            {text.promptAdd}
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}
