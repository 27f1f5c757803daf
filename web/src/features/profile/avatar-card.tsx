import type { User } from '@meetmark/contracts';
import { Button } from 'antd';
import { profileText as text } from '../../strings/profile';
import { Avatar, Badge } from '../../ui/marks';
import { CameraIcon } from '../../ui/icons';
import { useFormats } from '../../ui/use-formats';
import type { ProfileFields } from './profile.api';
import styles from './profile.module.css';

const PORTRAIT_SIZE = 132;

interface AvatarCardProps {
  user: User;
  draft: ProfileFields | null;
  pick: () => void;
  remove: () => void;
}

export function AvatarCard({ user, draft, pick, remove }: AvatarCardProps) {
  const formats = useFormats();
  const shown = draft ?? user;
  return (
    <section className={`${styles.card} ${styles.portrait}`}>
      <Avatar person={shown} size={PORTRAIT_SIZE} />
      <div>
        <h2>
          {user.firstName} {user.lastName}
        </h2>
        <p className={styles.email}>{user.email}</p>
      </div>
      <Badge tone={user.isAdmin ? 'accent' : 'good'}>{user.isAdmin ? text.administrator : text.member}</Badge>
      <p className={styles.soft}>{text.memberSince(formats.shortDate(user.createdAt))}</p>
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
