import type { Edit, Role } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { adminUsersText as text } from '@meetmark/i18n/texts/admin';
import { Form, Input, Radio } from 'antd';
import { useEffect, useId } from 'react';
import { toOptions } from '../../../ui/choice';
import { Dialog, DialogButtons } from '../../../ui/dialog';
import { EditConflict } from '../../../ui/edit-conflict';
import { type FieldErrors, looksLikeEmail } from '../../../ui/use-form';
import styles from '../shared/admin.module.css';

interface UserFormProps {
  submit: string;
  submitting: string;
  initial: UserFields;
  fixedRole?: string;
  saving: boolean;
  onSubmit: (fields: UserFields, dismiss: () => void) => void;
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
  // not `autoFocus`, because it acts before antd attaches the dialog to the page
  useEffect(() => {
    form.focusField('email');
  }, [form]);
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
              () => undefined,
            )
          }
          takeTheirs={() => {
            form.setFieldsValue(conflict.theirs);
            conflict.takeTheirs();
          }}
        />
      )}
      <DialogButtons dismiss={dismiss} inactive={saving}>
        {saving ? submitting : submit}
      </DialogButtons>
    </Form>
  );
}

interface RoleFieldProps {
  fixed?: string;
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
          options={toOptions<Role>(text.roleNames)}
          aria-label={text.role}
        />
      </Form.Item>
      <p id={id} className="soft small">
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
  password?: string;
}

export function userErrors({ email, firstName, lastName, password }: UserFields): FieldErrors<UserFields> {
  const errors: FieldErrors<UserFields> = {};
  if (!looksLikeEmail(email)) errors.email = text.emailInvalid;
  if (firstName.trim() === '') errors.firstName = text.firstNameRequired;
  if (lastName.trim() === '') errors.lastName = text.lastNameRequired;
  if (password !== undefined && password.length < LIMITS.passwordMin) errors.password = text.passwordTooShort;
  return errors;
}
