import type { User } from '@meetmark/contracts';
import { useState } from 'react';
import { serverMessage } from '../../api/client';
import { codesText, linkText, pendingEmailText as text } from '../../strings/codes';
import { ActionButton, useOnce } from '../../ui/action-button';
import { useToasts } from '../../ui/toasts';
import { CodeEntry } from '../auth/code-entry';
import { resendEmailCode, useCancelEmailChange } from '../auth/codes.api';
import { useFailure } from '../auth/use-failure';
import { codeSentTo } from './profile.api';
import styles from './profile.module.css';

/** The address that the account is to have: the code that makes it so, and the way to leave it. */
export function PendingEmail({ user, email }: { user: User; email: string }) {
  const toasts = useToasts();
  const failed = useFailure();
  const cancel = useCancelEmailChange();
  const cancelOnce = useOnce(cancel);
  const [step, setStep] = useState(() => codeSentTo.get(email));
  const leave = () =>
    cancelOnce(undefined, {
      onSuccess: () => toasts.success(text.cancelled),
      onError: (error) => failed(error, serverMessage(error) ?? codesText.failed),
    });
  return (
    <section className={styles.pending} aria-labelledby="pending-email">
      <h3 id="pending-email">{text.title(email)}</h3>
      <CodeEntry
        key={step}
        purpose="email"
        submit={codesText.confirm}
        resend={resendEmailCode}
        confirmed={({ next }) => {
          if (next === 'new-address') setStep('new');
          else toasts.success(linkText.email.done, linkText.email.doneHint);
        }}
      >
        {step === 'new' ? text.toNew(email) : step === 'present' ? text.toPresent(user.email) : text.unknown}
      </CodeEntry>
      <div>
        <ActionButton type="text" inactive={cancel.isPending} onClick={leave}>
          {text.cancel}
        </ActionButton>
      </div>
    </section>
  );
}
