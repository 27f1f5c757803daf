import { Button } from 'antd';
import { codesText, signInCodeText as text } from '../../strings/codes';
import styles from './auth-panel.module.css';
import { CodeEntry } from './code-entry';
import { requestSignInCode } from './codes.api';

/** In place of the password: the code that was mailed. Once it fits, the screens follow the session. */
export default function SignInCode({ email, close }: { email: string; close: () => void }) {
  return (
    <div className={styles.form}>
      <CodeEntry
        purpose="sign-in"
        submit={text.confirm}
        resend={() => requestSignInCode(email)}
        confirmed={() => undefined}
        autoFocus
      >
        {codesText.ifAccount(email)}
      </CodeEntry>
      <Button type="text" onClick={close}>
        {text.back}
      </Button>
    </div>
  );
}
