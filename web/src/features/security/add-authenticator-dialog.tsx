import type { AddedFactor } from '@meetmark/contracts';
import { SECOND_FACTOR } from '@meetmark/contracts/limits';
import { Button, QRCode } from 'antd';
import { serverMessage } from '../../api/client';
import { commonText } from '../../strings/common';
import { authenticatorText as text, securityText } from '../../strings/security';
import { ActionButton, CopyButton, useOnce } from '../../ui/action-button';
import { Dialog } from '../../ui/dialog';
import { DialogActions } from '../../ui/dialog-actions';
import { Field } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { useForm } from '../../ui/use-form';
import { CodeField } from './code-field';
import { useConfirmTotp } from './security.api';
import styles from './security.module.css';

interface Props {
  /** What the server answered when the authenticator was begun. */
  setup: { secret: string; uri: string };
  added: (factor: AddedFactor) => void;
  close: () => void;
}

export default function AddAuthenticatorDialog({ setup, added, close }: Props) {
  return (
    <Dialog title={text.title} close={close} width={440} form>
      {(dismiss) => (
        <AuthenticatorForm
          setup={setup}
          added={(factor) => {
            added(factor);
            dismiss();
          }}
          dismiss={dismiss}
        />
      )}
    </Dialog>
  );
}

const check = ({ name, code }: { name: string; code: string }) => ({
  ...(name.trim() === '' ? { name: text.nameRequired } : {}),
  ...(/^\d{6}$/.test(code) ? {} : { code: text.codeInvalid }),
});

function AuthenticatorForm({ setup, added, dismiss }: Omit<Props, 'close'> & { dismiss: () => void }) {
  const confirmation = useConfirmTotp();
  const confirmOnce = useOnce(confirmation);
  const { form, bind, submit, refuseAs } = useForm({ name: '', code: '' }, check);
  const save = submit((fields) => confirmOnce(fields, { onSuccess: added, onError: refuseAs }));
  return (
    <form ref={form} className={styles.form} onSubmit={save} noValidate>
      <p>{text.scan}</p>
      <div className={styles.qr} role="img" aria-label={text.qr}>
        <div aria-hidden>
          <QRCode value={setup.uri} size={176} bordered={false} color="#000" bgColor="#fff" type="svg" />
        </div>
      </div>
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
        maxLength={SECOND_FACTOR.name}
        autoComplete="off"
        autoFocus
        {...bind('name')}
      />
      <CodeField label={text.code} hint={text.codeHint} {...bind('code')} />
      {confirmation.isError && <Refusal>{serverMessage(confirmation.error) ?? securityText.failed}</Refusal>}
      <DialogActions>
        <Button onClick={dismiss}>{commonText.cancel}</Button>
        <ActionButton type="primary" htmlType="submit" inactive={confirmation.isPending}>
          {confirmation.isPending ? text.submitting : text.submit}
        </ActionButton>
      </DialogActions>
    </form>
  );
}
