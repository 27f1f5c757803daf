import { Button } from 'antd';
import { recoveryCodesText as text } from '../../strings/security';
import { CopyButton } from '../../ui/action-button';
import { Dialog } from '../../ui/dialog';
import { DialogActions } from '../../ui/dialog-actions';
import styles from './security.module.css';

/** New recovery codes, shown this once. */
export default function RecoveryCodesDialog({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <Dialog title={text.title} close={close} width={480} form>
      {(dismiss) => (
        <div className={styles.form}>
          <p>{text.intro}</p>
          <ul className={styles.codes}>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <DialogActions>
            <CopyButton
              text={codes.join('\n')}
              label={text.copy}
              copied={text.copied}
              failed={text.copyFailed}
            />
            <Button type="primary" onClick={dismiss}>
              {text.done}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}
