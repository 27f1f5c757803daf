import { verificationText as text } from '@meetmark/i18n/texts/codes';
import { Button } from 'antd';
import { useState } from 'react';
import { CloseIcon } from '../../ui/icons';
import { persist, readPersisted } from '../../ui/persisted-state';
import styles from './account.module.css';
import { useSession } from './session';
import VerificationDialog from './verification-dialog';

const DISMISSED = 'verification-dismissed';

export default function VerificationNotice() {
  const { user } = useSession();
  const [dismissed, setDismissed] = useState(() => readPersisted(DISMISSED) !== null);
  const [open, setOpen] = useState(false);
  if (user === null || user.emailVerifiedAt !== null || dismissed) return null;
  const dismiss = () => {
    persist(DISMISSED, 'yes');
    setDismissed(true);
  };
  return (
    <aside className={styles.notice} aria-label={text.label}>
      <p>
        {text.notice}{' '}
        <Button type="link" onClick={() => setOpen(true)}>
          {text.confirm}
        </Button>
      </p>
      <Button type="text" aria-label={text.dismiss} icon={<CloseIcon size={18} />} onClick={dismiss} />
      {open && <VerificationDialog email={user.email} close={() => setOpen(false)} />}
    </aside>
  );
}

export function ConfirmAddress() {
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  if (user === null || user.emailVerifiedAt !== null) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text.confirm}</Button>
      {open && <VerificationDialog email={user.email} close={() => setOpen(false)} />}
    </>
  );
}
