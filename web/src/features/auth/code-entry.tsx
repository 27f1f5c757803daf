import type { Confirmation, FlowPurpose, SignedIn } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { codesText as text, signInCodeText } from '@meetmark/i18n/texts/codes';
import { commonText } from '@meetmark/i18n/texts/common';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { serverMessage } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Refusal } from '../../ui/feedback';
import { lazyDialog } from '../../ui/lazy';
import { useToasts } from '../../ui/toasts';
import styles from './auth-panel.module.css';
import { requestSignInCode, getSecondStep } from './auth.api';
import { CodeField } from '../../ui/code-field';
import { flowQuery, useConfirmCode } from './codes.api';
import { CookiesNeeded } from './cookies-needed';

const SecondStep = lazyDialog(() => import('./second-step'));

interface CodeEntryProps {
  purpose: Exclude<FlowPurpose, 'reset'>;
  /** Name of the flow. Needed only if the browser may have several open flows with this purpose. */
  flow?: string;
  children: ReactNode;
  submit: string;
  resend: () => Promise<unknown>;
  confirmed: (confirmation: Confirmation) => void;
  passed?: () => void;
  accepted?: (user: SignedIn) => void;
  elsewhere?: string;
  autoFocus?: boolean;
  otherWay?: ReactNode;
}

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
  // a code entered on this page also confirms the flow, so this case is excluded
  const isElsewhere = flow?.status === 'confirmed' && confirmation.isIdle;
  const client = useQueryClient();
  useEffect(() => {
    // refetches data that the link has changed, such as registrations
    if (isElsewhere) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'flow' });
  }, [client, isElsewhere]);

  const send = (digits: string) => confirmOnce(digits, { onError: () => setCode('') });
  const type = (digits: string) => {
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

  const methods = getSecondStep(confirmation.error);
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
      <CookiesNeeded />
      <p className={styles.note}>{children}</p>
      <div className={styles.code}>
        <CodeField label={text.code} autoFocus={autoFocus} value={code} onChange={type} />
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
