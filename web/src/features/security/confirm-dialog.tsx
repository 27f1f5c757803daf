import { LIMITS } from '@meetmark/contracts/limits';
import { confirmText as text } from '@meetmark/i18n/texts/security';
import { Button } from 'antd';
import { useState } from 'react';
import { send, serverMessage } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { useOnce } from '../../ui/action-button';
import { Dialog, DialogButtons } from '../../ui/dialog';
import { Field } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { requestSignInCode } from '../auth/auth.api';
import { CodeEntry } from '../auth/code-entry';
import secondStep from '../auth/second-step.module.css';
import { useMember } from '../auth/session';
import { CodeField } from '../../ui/code-field';
import { RestoreDialog } from './restore-dialog';

interface ConfirmDialogProps {
  deletedAt: string | undefined;
  confirmed: () => void;
  close: () => void;
}

export default function ConfirmDialog({ deletedAt, ...question }: ConfirmDialogProps) {
  if (deletedAt !== undefined) return <RestoreDialog deletedAt={deletedAt} close={question.close} />;
  return <IdentityDialog {...question} />;
}

function IdentityDialog({ confirmed, close }: Omit<ConfirmDialogProps, 'deletedAt'>) {
  const { hasPassword } = useMember();
  return (
    <Dialog title={text.title} close={close} width={440} form>
      {(dismiss) => {
        const Proof = hasPassword ? ConfirmForm : MailedCode;
        return (
          <Proof
            confirmed={() => {
              confirmed();
              dismiss();
            }}
            dismiss={dismiss}
          />
        );
      }}
    </Dialog>
  );
}

function ConfirmForm({ confirmed, dismiss }: { confirmed: () => void; dismiss: () => void }) {
  const { hasSecondFactor } = useMember();
  const [byCode, setByCode] = useState(false);
  const [given, setGiven] = useState('');
  const confirmation = useMutation({
    mutationFn: (body: { password: string } | { code: string }) =>
      send('/api/user/confirm', { method: 'POST', body }),
    onSuccess: confirmed,
  });
  const confirmOnce = useOnce(confirmation);
  const turn = () => {
    setByCode(!byCode);
    setGiven('');
    confirmation.reset();
  };
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        confirmOnce(byCode ? { code: given } : { password: given });
      }}
    >
      <p>{text.intro}</p>
      {byCode ? (
        <CodeField key="code" label={text.code} autoFocus value={given} onChange={setGiven} />
      ) : (
        <Field
          key="password"
          label={text.password}
          type="password"
          autoFocus
          autoComplete="current-password"
          maxLength={LIMITS.password}
          value={given}
          onChange={setGiven}
        />
      )}
      {confirmation.isError && <Refusal>{serverMessage(confirmation.error) ?? text.failed}</Refusal>}
      {hasSecondFactor && (
        <div>
          <Button type="link" className={secondStep.turn} onClick={turn}>
            {byCode ? text.usePassword : text.useCode}
          </Button>
        </div>
      )}
      <DialogButtons dismiss={dismiss} inactive={given === '' || confirmation.isPending}>
        {confirmation.isPending ? text.submitting : text.submit}
      </DialogButtons>
    </form>
  );
}

function MailedCode({ confirmed, dismiss }: { confirmed: () => void; dismiss: () => void }) {
  const { email } = useMember();
  const request = useMutation({ mutationFn: () => requestSignInCode(email) });
  const requestOnce = useOnce(request);
  if (request.isSuccess)
    return (
      <CodeEntry
        purpose="sign-in"
        submit={text.submit}
        resend={() => requestSignInCode(email)}
        confirmed={confirmed}
        passed={confirmed}
        autoFocus
      >
        {text.codeSent({ email })}
      </CodeEntry>
    );
  return (
    <div className="grid gap-4">
      <p>{text.intro}</p>
      {request.isError && <Refusal>{serverMessage(request.error) ?? text.failed}</Refusal>}
      <DialogButtons dismiss={dismiss} inactive={request.isPending} onClick={() => requestOnce(undefined)}>
        {text.sendCode}
      </DialogButtons>
    </div>
  );
}
