import type { AddedFactor } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import {
  authenticatorText as text,
  passkeyText,
  recoveryCodesText,
  securityText,
} from '@meetmark/i18n/texts/security';
import { Button } from 'antd';
import { hasCode, serverMessage } from '../../api/client';
import { CopyButton, useOnce } from '../../ui/action-button';
import { Dialog, DialogActions, DialogButtons } from '../../ui/dialog';
import { Refusal } from '../../ui/feedback';
import { Field } from '../../ui/field';
import { QrCode } from '../../ui/qr-code';
import { useForm } from '../../ui/use-form';
import { CodeField } from '../../ui/code-field';
import { useAddPasskey, useConfirmTotp } from './security.api';
import styles from './security.module.css';

interface AddAuthenticatorProps {
  setup: { secret: string; uri: string };
  added: (factor: AddedFactor) => void;
  close: () => void;
}

export function AddAuthenticatorDialog({ setup, added, close }: AddAuthenticatorProps) {
  return (
    <Dialog title={text.title} close={close} width={440} form>
      {(dismiss) => <AuthenticatorForm setup={setup} added={added} dismiss={dismiss} />}
    </Dialog>
  );
}

const authenticatorErrors = ({ name, code }: { name: string; code: string }) => ({
  ...(name.trim() === '' ? { name: text.nameRequired } : {}),
  ...(/^\d{6}$/.test(code) ? {} : { code: text.codeInvalid }),
});

function AuthenticatorForm({
  setup,
  added,
  dismiss,
}: Omit<AddAuthenticatorProps, 'close'> & { dismiss: () => void }) {
  const confirmation = useConfirmTotp();
  const confirmOnce = useOnce(confirmation);
  const { form, bind, submit, refuseAs } = useForm({ name: '', code: '' }, authenticatorErrors);
  const onSuccess = (factor: AddedFactor) => {
    added(factor);
    dismiss();
  };
  const save = submit((fields) => confirmOnce(fields, { onSuccess, onError: refuseAs }));
  return (
    <form ref={form} className="grid gap-4" onSubmit={save} noValidate>
      <p>{text.scan}</p>
      <QrCode text={setup.uri} label={text.qr} className={styles.qr} />
      <div>
        <span>{text.key}</span>
        <output className={styles.key} aria-label={text.key}>
          {' '}
          {setup.secret.match(/.{1,4}/g)!.join(' ')}
        </output>
      </div>
      <div>
        <CopyButton text={setup.secret} label={text.copy} copied={text.copied} failed={text.copyFailed} />
      </div>
      <Field
        label={text.name}
        placeholder={text.namePlaceholder}
        maxLength={LIMITS.factorName}
        autoComplete="off"
        autoFocus
        {...bind('name')}
      />
      <CodeField label={text.code} hint={text.codeHint} {...bind('code')} />
      {confirmation.isError && (
        <Refusal>
          {hasCode(confirmation.error, 'SECOND_FACTOR_INVALID')
            ? text.codeWrong
            : (serverMessage(confirmation.error) ?? securityText.failed)}
        </Refusal>
      )}
      <DialogButtons dismiss={dismiss} inactive={confirmation.isPending}>
        {confirmation.isPending ? text.submitting : text.submit}
      </DialogButtons>
    </form>
  );
}

interface AddPasskeyProps {
  added: (factor: AddedFactor) => void;
  close: () => void;
}

export function AddPasskeyDialog({ added, close }: AddPasskeyProps) {
  return (
    <Dialog title={passkeyText.title} close={close} width={440} form>
      {(dismiss) => <PasskeyForm added={added} dismiss={dismiss} />}
    </Dialog>
  );
}

const passkeyErrors = ({ name }: { name: string }) => (name.trim() === '' ? { name: text.nameRequired } : {});

function PasskeyForm({ added, dismiss }: Omit<AddPasskeyProps, 'close'> & { dismiss: () => void }) {
  const addition = useAddPasskey();
  const addOnce = useOnce(addition);
  const { form, bind, submit, refuseAs } = useForm({ name: '' }, passkeyErrors);
  const onSuccess = (factor: AddedFactor) => {
    added(factor);
    dismiss();
  };
  const save = submit((fields) => addOnce(fields, { onSuccess, onError: refuseAs }));
  return (
    <form ref={form} className="grid gap-4" onSubmit={save} noValidate>
      <p>{passkeyText.intro}</p>
      <Field
        label={text.name}
        placeholder={text.namePlaceholder}
        maxLength={LIMITS.factorName}
        autoComplete="off"
        autoFocus
        {...bind('name')}
      />
      {addition.isError && <Refusal>{serverMessage(addition.error) ?? securityText.passkeyFailed}</Refusal>}
      <DialogButtons dismiss={dismiss} inactive={addition.isPending}>
        {addition.isPending ? passkeyText.submitting : passkeyText.submit}
      </DialogButtons>
    </form>
  );
}

export function RecoveryCodesDialog({ codes, close }: { codes: string[]; close: () => void }) {
  return (
    <Dialog title={recoveryCodesText.title} close={close} width={480} form>
      {(dismiss) => (
        <div className="grid gap-4">
          <p>{recoveryCodesText.intro}</p>
          <ul className={styles.codes}>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <DialogActions>
            <CopyButton
              text={codes.join('\n')}
              label={recoveryCodesText.copy}
              copied={recoveryCodesText.copied}
              failed={recoveryCodesText.copyFailed}
            />
            <Button type="primary" onClick={dismiss}>
              {recoveryCodesText.done}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}
