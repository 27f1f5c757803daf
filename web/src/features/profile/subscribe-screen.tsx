import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ApiError, send, serverMessage } from '../../api/client';
import { subscribeText as text } from '../../strings/profile';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Refusal } from '../../ui/feedback';
import { LinkPage } from '../auth/auth-page';
import styles from '../auth/auth-page.module.css';

const NOT_FOUND = 404;
const LINKS = [{ to: '/', label: text.home }];

/** The page of the link that confirms a sign-up for mails with an address alone: one button, and nothing before it is pressed. */
export default function SubscribeScreen() {
  const { hash } = useLocation();
  const [token] = useState(() => hash.slice(1));
  const confirm = useMutation({
    mutationFn: () => send('/api/subscriptions/confirm', { method: 'POST', body: { token } }),
  });
  const confirmOnce = useOnce(confirm);
  if (confirm.isSuccess)
    return <LinkPage title={text.doneTitle} sentence={text.done} announced links={LINKS} />;
  if (token === '' || (confirm.error instanceof ApiError && confirm.error.status === NOT_FOUND))
    return <LinkPage title={text.invalidTitle} sentence={text.invalid} announced links={LINKS} />;
  return (
    <LinkPage title={text.title} sentence={text.intro} links={LINKS}>
      <div className={styles.form}>
        {confirm.error && <Refusal>{serverMessage(confirm.error) ?? text.failed}</Refusal>}
        <ActionButton
          type="primary"
          size="large"
          block
          inactive={confirm.isPending}
          onClick={() => confirmOnce()}
        >
          {confirm.isPending ? text.acting : text.act}
        </ActionButton>
      </div>
    </LinkPage>
  );
}
