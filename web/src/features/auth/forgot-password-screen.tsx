import { commonText } from '@meetmark/i18n/texts/common';
import { resetRequestText as text } from '@meetmark/i18n/texts/passwords';
import { Button } from 'antd';
import { useNavigate } from 'react-router-dom';
import { serverMessage } from '../../api/client';
import { useCommunity } from '../../api/community';
import { ActionButton, useOnce } from '../../ui/action-button';
import { EmailField, FirstNameField, LastNameField } from '../../ui/field';
import { mailDraft, openMailDraft } from '../../ui/mail-draft';
import { useToasts } from '../../ui/toasts';
import { type FieldErrors, looksLikeEmail, useForm } from '../../ui/use-form';
import { AuthPage } from './auth-page';
import styles from './auth-page.module.css';
import { useRequestResetCode } from './auth.api';

const EMPTY: ResetRequestFields = { firstName: '', lastName: '', email: '' };

export default function ForgotPasswordScreen() {
  const { supportEmail } = useCommunity();
  const navigate = useNavigate();
  const toasts = useToasts();
  const request = useRequestResetCode();
  const requestOnce = useOnce(request);
  const { form, fields, bind, refuse, submit } = useForm(EMPTY, resetRequestErrors);

  const emailAdministrator = submit(({ firstName, lastName, email }) => {
    const body = text.mailBody({ name: `${firstName.trim()} ${lastName.trim()}`, email: email.trim() });
    openMailDraft(mailDraft({ to: supportEmail, subject: text.mailSubject, body }));
  });

  const sendCode = () => {
    const email = fields.email.trim();
    const wrongEmail = emailError(email);
    refuse(wrongEmail ? { email: wrongEmail } : {});
    if (wrongEmail) return;
    requestOnce(email, {
      onSuccess: () => void navigate('/reset-password', { state: { email } }),
      onError: (error) => toasts.error(commonText.error, serverMessage(error) ?? text.codeFailed),
    });
  };

  return (
    <AuthPage
      title={text.title}
      subtitle={text.subtitle}
      ref={form}
      onSubmit={emailAdministrator}
      links={[{ to: '/', label: text.backToHome }]}
    >
      <div className={styles.pair}>
        <FirstNameField label={text.firstName} {...bind('firstName')} />
        <LastNameField label={text.lastName} {...bind('lastName')} />
      </div>
      <EmailField label={text.email} {...bind('email')} />
      <Button type="primary" htmlType="submit" size="large" block>
        {text.emailAdministrator}
      </Button>
      <p className={styles.or}>
        <span>{text.or}</span>
      </p>
      <ActionButton size="large" block inactive={request.isPending} onClick={sendCode}>
        {request.isPending ? text.sendingCode : text.sendCode}
      </ActionButton>
      <p className={styles.hint}>{text.sendCodeHint}</p>
    </AuthPage>
  );
}

interface ResetRequestFields {
  firstName: string;
  lastName: string;
  email: string;
}

function emailError(email: string): string | undefined {
  if (!email.trim()) return text.emailRequired;
  return looksLikeEmail(email) ? undefined : text.emailInvalid;
}

function resetRequestErrors({
  firstName,
  lastName,
  email,
}: ResetRequestFields): FieldErrors<ResetRequestFields> {
  const errors: FieldErrors<ResetRequestFields> = {};
  if (!firstName.trim()) errors.firstName = text.firstNameRequired;
  if (!lastName.trim()) errors.lastName = text.lastNameRequired;
  const wrongEmail = emailError(email);
  if (wrongEmail) errors.email = wrongEmail;
  return errors;
}
