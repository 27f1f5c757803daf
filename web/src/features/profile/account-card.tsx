import type { User } from '@meetmark/contracts';
import { codesText } from '@meetmark/i18n/texts/codes';
import { linkText, pendingEmailText } from '@meetmark/i18n/texts/links';
import { profileText as text } from '@meetmark/i18n/texts/profile';
import { Button } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ActionButton } from '../../ui/action-button';
import cards from '../../ui/card.module.css';
import { isFocusLost } from '../../ui/focus-place';
import { useToasts } from '../../ui/toasts';
import { useAction } from '../auth/use-action';
import { CodeEntry } from '../auth/code-entry';
import { resendEmailCode, useCancelEmailChange } from '../auth/codes.api';
import { ProfileForm } from './profile-form';
import { codeSentTo, type ProfileFields } from './profile.api';
import styles from './profile.module.css';

interface AccountCardProps {
  user: User;
  editing: { base: User; draft: ProfileFields } | null;
  edit: () => void;
  change: (changed: Partial<ProfileFields>) => void;
  rebase: (present: User) => void;
  leaveEditing: () => void;
}

export function AccountCard({ user, editing: edited, edit, change, rebase, leaveEditing }: AccountCardProps) {
  const card = useRef<HTMLElement>(null);
  const editing = edited !== null;
  const was = useRef(editing);
  useEffect(() => {
    if (was.current === editing) return;
    was.current = editing;
    const lost = isFocusLost() || card.current?.contains(document.activeElement);
    if (lost) card.current?.querySelector<HTMLElement>(editing ? 'input' : 'button')?.focus();
  }, [editing]);
  return (
    <section ref={card} className={cards.card} aria-labelledby="account-title">
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
      <Fact name={text.linkedInUrl} wide>
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
  wide?: boolean;
  children: ReactNode;
}

const Fact = ({ name, wide, children }: FactProps) => (
  <div className={wide ? styles.wide : undefined}>
    <dt>{name}</dt>
    <dd dir="auto">{children || text.notProvided}</dd>
  </div>
);

function PendingEmail({ user, email }: { user: User; email: string }) {
  const toasts = useToasts();
  const cancel = useCancelEmailChange();
  const cancelOnce = useAction(cancel);
  const [step, setStep] = useState(() => codeSentTo.get(email));
  const leave = () => cancelOnce(undefined, { title: pendingEmailText.cancelled, failed: codesText.failed });
  return (
    <section className={styles.pending} aria-labelledby="pending-email">
      <h3 id="pending-email">{pendingEmailText.title({ email })}</h3>
      <CodeEntry
        key={step}
        purpose="email"
        submit={codesText.confirm}
        resend={resendEmailCode}
        otherWay={
          <ActionButton type="text" inactive={cancel.isPending} onClick={leave}>
            {pendingEmailText.cancel}
          </ActionButton>
        }
        confirmed={({ next }) => {
          if (next === 'new-address') setStep('new');
          else toasts.success(linkText.email.done, linkText.email.doneHint);
        }}
      >
        {step === 'new'
          ? pendingEmailText.toNew({ email })
          : step === 'present'
            ? pendingEmailText.toPresent({ email: user.email })
            : pendingEmailText.unknown}
      </CodeEntry>
    </section>
  );
}
