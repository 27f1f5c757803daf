import type { User } from '@meetmark/contracts';
import { verificationText as text } from '@meetmark/contracts/texts/codes';
import { Button } from 'antd';
import { useState } from 'react';
import { MailIcon } from '../../ui/icons';
import { lazyDialog } from '../../ui/lazy';
import styles from './account.module.css';

const VerificationDialog = lazyDialog(() => import('./verification-dialog'));

/** Asks the member on every screen to verify their address, until they have. */
export default function VerificationBanner({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  return (
    <aside className={styles.banner} aria-label={text.label}>
      <div className={styles.inner}>
        <MailIcon size={22} />
        <p>
          <strong>{text.banner({ email: user.email })}</strong> <span>{text.why}</span>
        </p>
        <Button onClick={() => setOpen(true)}>{text.enter}</Button>
      </div>
      {open && <VerificationDialog email={user.email} close={() => setOpen(false)} />}
    </aside>
  );
}
