import { LIMITS } from '@meetmark/contracts/limits';
import type { User } from '@meetmark/contracts';
import { type FormEvent, useState } from 'react';
import { ApiError, hasCode, isUnauthorized, refusedFields, serverMessage } from '../../api/client';
import { pendingEmailText as pendingText } from '../../strings/codes';
import { profileText as text } from '../../strings/profile';
import { ActionButton } from '../../ui/action-button';
import { EmailField, FirstNameField, LastNameField } from '../../ui/account-fields';
import { Field } from '../../ui/field';
import { Refusal } from '../../ui/notice';
import { TextArea } from '../../ui/text-area';
import { useToasts } from '../../ui/toasts';
import { useOnce } from '../../ui/use-once';
import { whatToDo } from '../../ui/what-to-do';
import { useFailure } from '../auth/use-failure';
import { type ProfileFields, useUpdateProfile } from './profile.api';
import styles from './profile.module.css';

interface ProfileFormProps {
  user: User;
  draft: ProfileFields;
  change: (changed: Partial<ProfileFields>) => void;
  leaveEditing: () => void;
}

/** Empty optional fields travel as null. */
const toPayload = (draft: ProfileFields): ProfileFields => ({
  ...draft,
  description: draft.description || null,
  linkedInUrl: draft.linkedInUrl || null,
});

export function ProfileForm({ user, draft, change, leaveEditing }: ProfileFormProps) {
  const toasts = useToasts();
  const failed = useFailure();
  const update = useUpdateProfile();
  const updateOnce = useOnce(update);
  const [currentPassword, setCurrentPassword] = useState('');
  const movesAddress = draft.email.trim().toLowerCase() !== user.email.toLowerCase();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const proof = movesAddress && currentPassword ? { currentPassword } : {};
    updateOnce(
      { ...toPayload(draft), ...proof },
      {
        onSuccess: () => {
          toasts.success(text.updated);
          leaveEditing();
        },
        onError: (error) => failed(error, error instanceof ApiError ? text.failed : text.networkError),
      },
    );
  };
  const wrong = refusedFields(update.error);
  const wrongPassword = hasCode(update.error, 'CURRENT_PASSWORD_INCORRECT');
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.pair}>
        <FirstNameField
          label={text.firstName}
          required
          value={draft.firstName}
          error={wrong.firstName}
          onChange={(firstName) => change({ firstName })}
        />
        <LastNameField
          label={text.lastName}
          required
          value={draft.lastName}
          error={wrong.lastName}
          onChange={(lastName) => change({ lastName })}
        />
      </div>
      <EmailField
        label={text.email}
        autoComplete="email"
        required
        value={draft.email}
        error={wrong.email}
        onChange={(email) => change({ email })}
      />
      {movesAddress &&
        (user.hasPassword ? (
          <Field
            label={pendingText.currentPassword}
            type="password"
            autoComplete="current-password"
            maxLength={LIMITS.password}
            hint={<span>{pendingText.currentPasswordHint}</span>}
            value={currentPassword}
            error={wrongPassword ? serverMessage(update.error) : undefined}
            onChange={setCurrentPassword}
          />
        ) : (
          <p className={styles.soft}>{pendingText.noPasswordHint}</p>
        ))}
      <TextArea
        label={text.about}
        placeholder={text.aboutPlaceholder}
        maxLength={LIMITS.description}
        value={draft.description ?? ''}
        error={wrong.description}
        onChange={(description) => change({ description })}
      />
      <Field
        label={text.linkedInUrl}
        type="url"
        maxLength={LIMITS.linkedInUrl}
        value={draft.linkedInUrl ?? ''}
        error={wrong.linkedInUrl}
        onChange={(linkedInUrl) => change({ linkedInUrl })}
      />
      {update.error && !isUnauthorized(update.error) && !wrongPassword && (
        <Refusal>{whatToDo(update.error)}</Refusal>
      )}
      <div className={styles.buttons}>
        <ActionButton onClick={leaveEditing} inactive={update.isPending}>
          {text.cancel}
        </ActionButton>
        <ActionButton type="primary" htmlType="submit" inactive={update.isPending}>
          {update.isPending ? text.saving : text.save}
        </ActionButton>
      </div>
    </form>
  );
}
