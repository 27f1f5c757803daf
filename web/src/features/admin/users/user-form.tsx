import type { Edit, Role } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { adminUsersText as text } from '@meetmark/contracts/texts/admin';
import { commonText } from '@meetmark/contracts/texts/common';
import { Button, Form, Input, Radio } from 'antd';
import { useEffect, useId } from 'react';
import { ActionButton } from '../../../ui/action-button';
import { optionsOf } from '../../../ui/choice';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { EditConflict } from '../../../ui/edit-conflict';
import { type FieldErrors, looksLikeEmail } from '../../../ui/use-form';
import styles from '../shared/admin.module.css';

interface UserFormProps {
  submit: string;
  submitting: string;
  initial: UserFields;
  /** Why the role cannot be changed, when it cannot. */
  fixedRole?: string;
  saving: boolean;
  onSubmit: (fields: UserFields, dismiss: () => void) => void;
  /** Another administrator has saved the user since the dialog was opened. */
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
  const [form] = Form.useForm<UserFields>();
  const typed = Form.useWatch([], form) ?? initial;
  // `autoFocus` would act before antd has put the dialog into the page.
  useEffect(() => {
    form.focusField('email');
  }, [form]);
  /** The name of a field, its label and what is wrong with it. */
  const item = (name: keyof UserFields, label: string) => ({
    name,
    label,
    rules: [
      {
        validator: async () => {
          const error = userErrors(form.getFieldsValue())[name];
          if (error) throw new Error(error);
        },
      },
    ],
  });
  return (
    <Form
      form={form}
      name="user"
      noValidate
      className={styles.form}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onSubmit"
      scrollToFirstError={{ focus: true }}
      initialValues={initial}
      onFinish={(valid) => onSubmit(trimmed(valid), dismiss)}
    >
      <Form.Item {...item('email', text.email)}>
        <Input type="email" maxLength={LIMITS.email} autoComplete="off" />
      </Form.Item>
      <div className={styles.names}>
        <Form.Item {...item('firstName', text.firstName)}>
          <Input maxLength={LIMITS.name} autoComplete="off" />
        </Form.Item>
        <Form.Item {...item('lastName', text.lastName)}>
          <Input maxLength={LIMITS.name} autoComplete="off" />
        </Form.Item>
      </div>
      {initial.password !== undefined && (
        <Form.Item {...item('password', text.password)}>
          <Input.Password maxLength={LIMITS.password} autoComplete="new-password" />
        </Form.Item>
      )}
      <RoleField fixed={fixedRole} hint={text.roleHints[typed.role ?? initial.role]} />
      {conflict && (
        <EditConflict
          edits={conflict.edits}
          base={conflict.base}
          mine={trimmed(typed)}
          theirs={conflict.theirs}
          show={(name, value) => (name === 'role' ? text.roleNames[value as Role] : undefined)}
          saving={saving}
          saveMine={() =>
            void form.validateFields().then(
              (valid) => conflict.saveMine(trimmed(valid), dismiss),
              () => undefined, // the form shows what is wrong
            )
          }
          takeTheirs={() => {
            form.setFieldsValue(conflict.theirs);
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
    </Form>
  );
}

interface RoleFieldProps {
  /** Why the role cannot be changed, when it cannot. */
  fixed?: string;
  /** What the chosen role may do. */
  hint: string;
}

function RoleField({ fixed, hint }: RoleFieldProps) {
  const id = useId();
  return (
    <fieldset className={styles.role} aria-describedby={id}>
      <legend>{text.role}</legend>
      <Form.Item name="role" noStyle>
        <Radio.Group
          disabled={fixed !== undefined}
          options={optionsOf<Role>(text.roleNames)}
          aria-label={text.role}
        />
      </Form.Item>
      <p id={id} className={styles.hint}>
        {fixed ?? hint}
      </p>
    </fieldset>
  );
}

const trimmed = (fields: UserFields): UserFields => ({
  ...fields,
  email: fields.email.trim(),
  firstName: fields.firstName.trim(),
  lastName: fields.lastName.trim(),
});

export interface UserFields {
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  /** The password of a new user; absent when one is edited. */
  password?: string;
}

/** The error of each field; empty when all are valid. */
export function userErrors({ email, firstName, lastName, password }: UserFields): FieldErrors<UserFields> {
  const errors: FieldErrors<UserFields> = {};
  if (!looksLikeEmail(email)) errors.email = text.emailInvalid;
  if (firstName.trim() === '') errors.firstName = text.firstNameRequired;
  if (lastName.trim() === '') errors.lastName = text.lastNameRequired;
  if (password !== undefined && password.length < LIMITS.passwordMin) errors.password = text.passwordTooShort;
  return errors;
}
