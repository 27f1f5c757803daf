import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ApiError, serverMessage } from '../../api/client';
import { codesText, confirmText, revertText as text } from '../../strings/codes';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Refusal } from '../../ui/feedback';
import styles from './auth-page.module.css';
import { ChoosePassword } from './choose-password';
import { useConfirmLink, useRevertEmail } from './codes.api';
import { LinkPage } from './link-page';
import { ResetDone } from './reset-done';

const HOME = { to: '/', label: confirmText.home };

/** Where the old address of an account takes it back: one press, then a new password. */
export default function RevertEmailScreen() {
  const { hash } = useLocation();
  const [token] = useState(() => (/^#([\w-]{22})$/.exec(hash) ?? [])[1] ?? null);
  const revert = useRevertEmail();
  const revertOnce = useOnce(revert);
  const password = useConfirmLink();
  if (password.isSuccess) return <ResetDone />;
  if (revert.data)
    return (
      <LinkPage title={text.chooseTitle} sentence={text.choose(revert.data.email)} announced links={[HOME]}>
        <ChoosePassword token={revert.data.resetToken} confirmation={password} />
      </LinkPage>
    );
  const over = revert.error instanceof ApiError && revert.error.body?.code === 'CODE_INVALID';
  if (token === null || over)
    return (
      <LinkPage title={confirmText.invalidTitle} sentence={confirmText.invalid} announced links={[HOME]} />
    );
  return (
    <LinkPage title={text.title} sentence={text.intro} links={[HOME]}>
      <div className={styles.form}>
        {revert.isError && <Refusal>{serverMessage(revert.error) ?? codesText.failed}</Refusal>}
        <ActionButton
          type="primary"
          size="large"
          block
          inactive={revert.isPending}
          onClick={() => revertOnce(token)}
        >
          {revert.isPending ? text.acting : text.act}
        </ActionButton>
      </div>
    </LinkPage>
  );
}
