import type { Edit } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { Button, Switch } from 'antd';
import { useId } from 'react';
import { adminUsersText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { ActionButton } from '../../../ui/action-button';
import { EmailField, Field, FirstNameField, LastNameField } from '../../../ui/field';
import { Dialog } from '../../../ui/dialog';
import { DialogActions } from '../../../ui/dialog-actions';
import { EditConflict } from '../../../ui/edit-conflict';
import { useForm } from '../../../ui/use-form';
import styles from './user-dialog.module.css';
import { type UserFields, userErrors } from './user-form';

interface UserFormProps {
  submit: string;
  submitting: string;
  initial: UserFields;
  /** Why the role cannot be changed, when it cannot. */
  fixedRole?: string;
  saving: boolean;
  onSubmit: (fields: UserFields, dismiss: () => void) => void;
  /** That somebody else has saved the user since the dialog was opened. */
  conflict?: {
    edits: Edit[];
    base: UserFields;
    theirs: UserFields;
    saveMine: (fields: UserFields, dismiss: () => void) => void;
    takeTheirs: () => void;
  } | null;
}

interface UserDialogProps extends UserFormProps {
  title: string;
  close: () => void;
}

/** The form of 'Add New User' and 'Edit User'. A password is asked for when `initial` has one. */
export const UserDialog = ({ title, close, ...form }: UserDialogProps) => (
  <Dialog title={title} close={close} form>
    {(dismiss) => <UserForm {...form} dismiss={dismiss} />}
  </Dialog>
);

function UserForm({
  submit,
  submitting,
  initial,
  fixedRole,
  saving,
  onSubmit,
  conflict,
  dismiss,
}: UserFormProps & { dismiss: () => void }) {
  const { form, fields, change, bind, refuse, submit: submission } = useForm(initial, userErrors);
  const roleId = useId();
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={submission((valid) => onSubmit(trimmed(valid), dismiss))}
    >
      <EmailField {...bind('email')} label={text.email} autoFocus autoComplete="off" />
      <div className={styles.names}>
        <FirstNameField {...bind('firstName')} label={text.firstName} autoComplete="off" />
        <LastNameField {...bind('lastName')} label={text.lastName} autoComplete="off" />
      </div>
      {fields.password !== undefined && (
        <Field
          {...bind('password')}
          label={text.password}
          type="password"
          maxLength={LIMITS.password}
          autoComplete="new-password"
        />
      )}
      <div className={styles.role}>
        <Switch
          id={roleId}
          checked={fields.isAdmin}
          disabled={fixedRole !== undefined}
          aria-describedby={`${roleId}-hint`}
          onChange={(isAdmin) => change({ isAdmin })}
        />
        <div>
          <label htmlFor={roleId}>{text.administrator}</label>
          <p id={`${roleId}-hint`} className={styles.hint}>
            {fixedRole ?? text.administratorHint}
          </p>
        </div>
      </div>
      {conflict && (
        <EditConflict
          edits={conflict.edits}
          base={conflict.base}
          mine={trimmed(fields)}
          theirs={conflict.theirs}
          saving={saving}
          saveMine={() => {
            const found = userErrors(fields);
            if (Object.keys(found).length > 0) return refuse(found);
            conflict.saveMine(trimmed(fields), dismiss);
          }}
          takeTheirs={() => {
            change(conflict.theirs);
            conflict.takeTheirs();
          }}
        />
      )}
      <DialogActions>
        <Button onClick={dismiss}>{commonText.cancel}</Button>
        <ActionButton type="primary" htmlType="submit" inactive={saving}>
          {saving ? submitting : submit}
        </ActionButton>
      </DialogActions>
    </form>
  );
}

const trimmed = (fields: UserFields): UserFields => ({
  ...fields,
  email: fields.email.trim(),
  firstName: fields.firstName.trim(),
  lastName: fields.lastName.trim(),
});
