import { closingText as text } from '@meetmark/i18n/texts/closing';
import { Button } from 'antd';
import { useState } from 'react';
import { send, serverMessage } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { useOnce } from '../../ui/action-button';
import { Card } from '../../ui/card';
import { Dialog, DialogButtons } from '../../ui/dialog';
import { Refusal } from '../../ui/feedback';
import { forgetPersisted, TYPED } from '../../ui/persisted-state';
import { HelpButton } from '../help/help-button';
import styles from './profile.module.css';

export function DeleteAccountCard() {
  const [asking, setAsking] = useState(false);
  return (
    <Card
      title={text.title}
      intro={text.intro}
      help={<HelpButton panel="deleteAccount" title={text.title} />}
    >
      <div className={styles.buttons}>
        <Button danger onClick={() => setAsking(true)}>
          {text.confirm}
        </Button>
      </div>
      {asking && <DeleteAccountDialog close={() => setAsking(false)} />}
    </Card>
  );
}

function DeleteAccountDialog({ close }: { close: () => void }) {
  const closing = useMutation({
    mutationFn: () => send('/api/user', { method: 'DELETE' }),
    onSuccess: () => {
      forgetPersisted(TYPED);
      window.location.assign('/');
    },
  });
  const closeOnce = useOnce(closing);
  return (
    <Dialog title={text.title} close={close} width={480} compact>
      {(dismiss) => (
        <div className="grid gap-4">
          <p>{text.what}</p>
          <p>{text.restore}</p>
          <p>{text.after}</p>
          {closing.isError && <Refusal>{serverMessage(closing.error) ?? text.failed}</Refusal>}
          <DialogButtons
            dismiss={dismiss}
            danger
            inactive={closing.isPending}
            onClick={() => closeOnce(undefined)}
          >
            {text.confirm}
          </DialogButtons>
        </div>
      )}
    </Dialog>
  );
}
