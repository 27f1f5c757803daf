import { authText } from '@meetmark/i18n/texts/auth';
import { Dialog } from '../../ui/dialog';
import { type AuthMode, AuthPanel } from '../auth/auth-panel';
import styles from './hero.module.css';

export default function SignInSheet({ first, close }: { first: AuthMode; close: () => void }) {
  return (
    <Dialog title={authText.modeLabel} close={close} width={480} compact className={styles.sheet}>
      {() => <AuthPanel first={first} />}
    </Dialog>
  );
}
