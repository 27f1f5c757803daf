import type { User } from '@meetmark/contracts';
import { Button } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import { profileText as text } from '../../strings/profile';
import { isFocusLost } from '../../ui/focus-place';
import styles from './profile.module.css';
import { PendingEmail } from './pending-email';
import { ProfileForm } from './profile-form';
import type { ProfileFields } from './profile.api';

interface AccountCardProps {
  user: User;
  /** What is being edited, and what it was when it was read; null in view mode. */
  editing: { base: User; draft: ProfileFields } | null;
  edit: () => void;
  change: (changed: Partial<ProfileFields>) => void;
  /** Begins anew from the account as it is now. */
  rebase: (present: User) => void;
  leaveEditing: () => void;
}

export function AccountCard({ user, editing: edited, edit, change, rebase, leaveEditing }: AccountCardProps) {
  const card = useRef<HTMLElement>(null);
  const editing = edited !== null;
  const was = useRef(editing);
  // Into the form and, from its buttons, back to the one that opened it.
  useEffect(() => {
    if (was.current === editing) return;
    was.current = editing;
    const lost = isFocusLost() || card.current?.contains(document.activeElement);
    if (lost) card.current?.querySelector<HTMLElement>(editing ? 'input' : 'button')?.focus();
  }, [editing]);
  return (
    <section ref={card} className={styles.card} aria-labelledby="account-title">
      <div className={styles.head}>
        <h2 id="account-title">{text.accountInformation}</h2>
        {!editing && (
          <Button type="primary" onClick={edit}>
            {text.editProfile}
          </Button>
        )}
      </div>
      {edited ? (
        <ProfileForm {...edited} change={change} rebase={rebase} leaveEditing={leaveEditing} />
      ) : (
        <>
          {user.pendingEmail && (
            <PendingEmail key={user.pendingEmail} user={user} email={user.pendingEmail} />
          )}
          <ProfileFacts user={user} />
        </>
      )}
    </section>
  );
}

function ProfileFacts({ user }: { user: User }) {
  return (
    <dl className={styles.facts}>
      <Fact name={text.firstName}>{user.firstName}</Fact>
      <Fact name={text.lastName}>{user.lastName}</Fact>
      <Fact name={text.email}>{user.email}</Fact>
      <Fact name={text.linkedInUrl}>
        {user.linkedInUrl && (
          <a href={user.linkedInUrl} target="_blank" rel="noopener noreferrer nofollow">
            {user.linkedInUrl}
          </a>
        )}
      </Fact>
      <Fact name={text.about} wide>
        {user.description}
      </Fact>
    </dl>
  );
}

interface FactProps {
  name: string;
  /** Over all columns. */
  wide?: boolean;
  children: ReactNode;
}

const Fact = ({ name, wide, children }: FactProps) => (
  <div className={wide ? styles.wide : undefined}>
    <dt>{name}</dt>
    <dd dir="auto">{children || text.notProvided}</dd>
  </div>
);
