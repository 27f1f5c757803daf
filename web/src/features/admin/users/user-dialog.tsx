import { LIMITS } from '@meetmark/contracts/limits';
import { Modal, Switch } from 'antd';
import { type FormEvent, useId, useState } from 'react';
import { adminUsersText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { Field } from '../../../ui/field';
import styles from './user-dialog.module.css';
import { type UserErrors, type UserFields, userErrors } from './user-form';

interface UserDialogProps {
  open: boolean;
  title: string;
  submit: string;
  submitting: string;
  initial: UserFields;
  /** Why the role cannot be changed, when it cannot. */
  fixedRole?: string;
  saving: boolean;
  onSubmit: (fields: UserFields) => void;
  onClose: () => void;
}

/** The form of 'Add New User' and 'Edit User'. A password is asked for when `initial` has one. */
export function UserDialog(props: UserDialogProps) {
  const formId = useId();
  const { open, title, submit, submitting, saving, onClose } = props;
  return (
    <Modal
      open={open}
      title={title}
      okText={saving ? submitting : submit}
      okButtonProps={{ htmlType: 'submit', form: formId, disabled: saving }}
      cancelText={commonText.cancel}
      onCancel={onClose}
      destroyOnHidden
    >
      <UserFieldsForm {...props} id={formId} />
    </Modal>
  );
}

function UserFieldsForm({ id, initial, fixedRole, onSubmit }: UserDialogProps & { id: string }) {
  const [fields, setFields] = useState(initial);
  const [errors, setErrors] = useState<UserErrors>({});
  const roleId = useId();
  const set = (name: keyof UserFields) => (value: string) => {
    setFields({ ...fields, [name]: value });
    setErrors({ ...errors, [name]: undefined });
  };
  const check = (event: FormEvent) => {
    event.preventDefault();
    const found = userErrors(fields);
    setErrors(found);
    if (Object.keys(found).length === 0) onSubmit(trimmed(fields));
  };
  return (
    <form id={id} className={styles.form} noValidate onSubmit={check}>
      <Field
        label={text.email}
        type="email"
        value={fields.email}
        maxLength={LIMITS.email}
        autoComplete="off"
        autoFocus
        error={errors.email}
        onChange={set('email')}
      />
      <div className={styles.names}>
        <Field
          label={text.firstName}
          value={fields.firstName}
          maxLength={LIMITS.name}
          autoComplete="off"
          error={errors.firstName}
          onChange={set('firstName')}
        />
        <Field
          label={text.lastName}
          value={fields.lastName}
          maxLength={LIMITS.name}
          autoComplete="off"
          error={errors.lastName}
          onChange={set('lastName')}
        />
      </div>
      {fields.password !== undefined && (
        <Field
          label={text.password}
          type="password"
          value={fields.password}
          maxLength={LIMITS.password}
          autoComplete="new-password"
          error={errors.password}
          onChange={set('password')}
        />
      )}
      <div className={styles.role}>
        <Switch
          id={roleId}
          checked={fields.isAdmin}
          disabled={fixedRole !== undefined}
          aria-describedby={`${roleId}-hint`}
          onChange={(isAdmin) => setFields({ ...fields, isAdmin })}
        />
        <div>
          <label htmlFor={roleId}>{text.administrator}</label>
          <p id={`${roleId}-hint`} className={styles.hint}>
            {fixedRole ?? text.administratorHint}
          </p>
        </div>
      </div>
    </form>
  );
}

const trimmed = (fields: UserFields): UserFields => ({
  ...fields,
  email: fields.email.trim(),
  firstName: fields.firstName.trim(),
  lastName: fields.lastName.trim(),
});
