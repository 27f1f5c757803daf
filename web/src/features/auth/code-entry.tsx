import type { Confirmation, FlowPurpose, SignedIn } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { codesText as text, signInCodeText } from '@meetmark/contracts/texts/codes';
import { commonText } from '@meetmark/contracts/texts/common';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { serverMessage } from '../../api/client';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Refusal } from '../../ui/feedback';
import { Field } from '../../ui/field';
import { lazyDialog } from '../../ui/lazy';
import { useToasts } from '../../ui/toasts';
import styles from './auth-panel.module.css';
import { requestSignInCode, secondStepOf } from './auth.api';
import { flowQuery, useConfirmCode } from './codes.api';

const SecondStep = lazyDialog(() => import('./second-step'));

interface CodeEntryProps {
  purpose: Exclude<FlowPurpose, 'reset'>;
  /** Which of the browser's flows, where it may have several. */
  flow?: string;
  /** Where the code went. */
  children: ReactNode;
  submit: string;
  resend: () => Promise<unknown>;
  confirmed: (confirmation: Confirmation) => void;
  /** The code was right, and the second step of the sign-in after it. */
  passed?: () => void;
  /** Is called as `passed` is, but before the screens follow the session. */
  accepted?: (user: SignedIn) => void;
  /** What is said when the mailed link was used on another device. */
  elsewhere?: string;
  autoFocus?: boolean;
  /** Stands beside the other buttons. */
  otherWay?: ReactNode;
}

/** Takes six digits and submits them, offers a new code, and shows when the mailed link was used elsewhere. */
export function CodeEntry({
  purpose,
  flow: flowName,
  children,
  submit,
  resend,
  confirmed,
  passed,
  accepted,
  elsewhere = text.elsewhere,
  autoFocus,
  otherWay,
}: CodeEntryProps) {
  const toasts = useToasts();
  const [code, setCode] = useState('');
  const confirmation = useConfirmCode(purpose, flowName, confirmed);
  const confirmOnce = useOnce(confirmation);
  const resending = useMutation({ mutationFn: resend });
  const resendOnce = useOnce(resending);
  const { data: flow } = useQuery(flowQuery(purpose, flowName));
  // This page's own code confirms the flow, too: then there is nothing to show.
  const isElsewhere = flow?.status === 'confirmed' && confirmation.isIdle;
  const client = useQueryClient();
  useEffect(() => {
    // what it has changed, such as the places that are left
    if (isElsewhere) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'flow' });
  }, [client, isElsewhere]);

  const send = (digits: string) => confirmOnce(digits, { onError: () => setCode('') });
  const type = (typed: string) => {
    const digits = typed.replace(/\D/g, '').slice(0, LIMITS.resetCode);
    setCode(digits);
    if (digits.length === LIMITS.resetCode && digits !== code) send(digits);
  };
  const press = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === LIMITS.resetCode) send(code);
  };
  const again = () =>
    resendOnce(undefined, {
      onSuccess: () => {
        confirmation.reset();
        toasts.success(text.sentAgain);
      },
      onError: (error) => toasts.error(commonText.error, serverMessage(error) ?? text.sendFailed),
    });

  const methods = secondStepOf(confirmation.error);
  if (methods)
    return <SecondStep methods={methods} close={confirmation.reset} accepted={accepted} done={passed} />;
  if (isElsewhere)
    return (
      <div className={styles.entry} role="status">
        <strong>{text.elsewhereTitle}</strong>
        <p className={styles.note}>{elsewhere}</p>
      </div>
    );
  return (
    <form className={styles.entry} onSubmit={press} noValidate>
      <p className={styles.note}>{children}</p>
      <div className={styles.code}>
        <Field
          label={text.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={LIMITS.resetCode}
          autoFocus={autoFocus}
          value={code}
          onChange={type}
        />
      </div>
      {confirmation.isError && <Refusal>{serverMessage(confirmation.error) ?? text.failed}</Refusal>}
      <div className={styles.buttons}>
        <ActionButton
          type="primary"
          htmlType="submit"
          size="large"
          inactive={confirmation.isPending || code.length < LIMITS.resetCode}
        >
          {confirmation.isPending ? text.confirming : submit}
        </ActionButton>
        <ActionButton type="text" inactive={resending.isPending} onClick={again}>
          {resending.isPending ? text.sending : text.sendAgain}
        </ActionButton>
        {otherWay}
      </div>
    </form>
  );
}

/** Takes the mailed code in place of the password. A right code begins the session, and the screens follow it. */
export function SignInCode({ email, close }: { email: string; close: () => void }) {
  return (
    <div className={styles.form}>
      <CodeEntry
        purpose="sign-in"
        submit={signInCodeText.confirm}
        resend={() => requestSignInCode(email)}
        confirmed={() => undefined}
        autoFocus
      >
        {text.ifAccount({ email })}
      </CodeEntry>
      <Button type="text" onClick={close}>
        {signInCodeText.back}
      </Button>
    </div>
  );
}
