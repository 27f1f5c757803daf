import type { AddedFactor } from '@meetmark/contracts';
import { SECOND_FACTOR } from '@meetmark/contracts/limits';
import { Button } from 'antd';
import { serverMessage } from '../../api/client';
import { commonText } from '../../strings/common';
import { authenticatorText, passkeyText as text, securityText } from '../../strings/security';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Dialog } from '../../ui/dialog';
import { DialogActions } from '../../ui/dialog-actions';
import { Field } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { useForm } from '../../ui/use-form';
import { useAddPasskey } from './security.api';
import styles from './security.module.css';

interface Props {
  added: (factor: AddedFactor) => void;
  close: () => void;
}

export default function AddPasskeyDialog({ added, close }: Props) {
  return (
    <Dialog title={text.title} close={close} width={440} form>
      {(dismiss) => (
        <PasskeyForm
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

const check = ({ name }: { name: string }) =>
  name.trim() === '' ? { name: authenticatorText.nameRequired } : {};

function PasskeyForm({ added, dismiss }: Omit<Props, 'close'> & { dismiss: () => void }) {
  const addition = useAddPasskey();
  const addOnce = useOnce(addition);
  const { form, bind, submit, refuseAs } = useForm({ name: '' }, check);
  const save = submit((fields) => addOnce(fields, { onSuccess: added, onError: refuseAs }));
  return (
    <form ref={form} className={styles.form} onSubmit={save} noValidate>
      <p>{text.intro}</p>
      <Field
        label={authenticatorText.name}
        placeholder={authenticatorText.namePlaceholder}
        maxLength={SECOND_FACTOR.name}
        autoComplete="off"
        autoFocus
        {...bind('name')}
      />
      {addition.isError && <Refusal>{serverMessage(addition.error) ?? securityText.passkeyFailed}</Refusal>}
      <DialogActions>
        <Button onClick={dismiss}>{commonText.cancel}</Button>
        <ActionButton type="primary" htmlType="submit" inactive={addition.isPending}>
          {addition.isPending ? text.submitting : text.submit}
        </ActionButton>
      </DialogActions>
    </form>
  );
}
