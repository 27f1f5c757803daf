import { LIMITS } from '@meetmark/contracts/limits';
import type { User } from '@meetmark/contracts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, hasCode, isUnauthorized, refusedFields, serverMessage } from '../../api/client';
import { changesSince, EditConflict, editConflictOf } from '../../ui/edit-conflict';
import { editConflictText } from '../../strings/edit-conflict';
import { pendingEmailText as pendingText } from '../../strings/links';
import { profileText as text } from '../../strings/profile';
import { ActionButton, useOnce } from '../../ui/action-button';
import { EmailField, Field, FirstNameField, LastNameField, TextArea } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { useToasts } from '../../ui/toasts';
import { whatToDo } from '../../ui/what-to-do';
import { useFailure } from '../auth/session';
import { type ProfileFields, profileFieldsOf, useUpdateProfile } from './profile.api';
import styles from './profile.module.css';

interface ProfileFormProps {
  /** The account when editing began. */
  base: User;
  draft: ProfileFields;
  change: (changed: Partial<ProfileFields>) => void;
  rebase: (present: User) => void;
  leaveEditing: () => void;
}

/** Empty optional fields are sent as null. */
const toPayload = (draft: ProfileFields): ProfileFields => ({
  ...draft,
  description: draft.description || null,
  linkedInUrl: draft.linkedInUrl || null,
});

export function ProfileForm({ base, draft, change, rebase, leaveEditing }: ProfileFormProps) {
  const toasts = useToasts();
  const failed = useFailure();
  const update = useUpdateProfile();
  const updateOnce = useOnce(update);
  const [currentPassword, setCurrentPassword] = useState('');
  const movesAddress = draft.email.trim().toLowerCase() !== base.email.toLowerCase();

  const conflict = editConflictOf<User>(update.error);
  const opened = toPayload(profileFieldsOf(base));

  const save = (changes: Partial<ProfileFields>, version: number) => {
    const proof = movesAddress && currentPassword ? { currentPassword } : {};
    updateOnce(
      { ...changes, ...proof, version },
      {
        onSuccess: () => {
          toasts.success(text.updated);
          leaveEditing();
        },
        onError: (error) => {
          if (editConflictOf(error)) return; // the form itself shows it
          failed(error, error instanceof ApiError ? text.failed : text.networkError);
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(toPayload(draft), base.version);
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [update.error]);
  const wrong = refusedFields(update.error);
  const wrongPassword = hasCode(update.error, 'CURRENT_PASSWORD_INCORRECT');
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={submit}>
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
        (base.hasPassword ? (
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
      {update.error && !isUnauthorized(update.error) && !wrongPassword && !conflict && (
        <Refusal>{whatToDo(update.error)}</Refusal>
      )}
      {conflict && (
        <EditConflict
          edits={conflict.edits}
          base={opened}
          mine={toPayload(draft)}
          theirs={toPayload(profileFieldsOf(conflict.present))}
          show={(name, value) =>
            name === 'profileImageUrl' && value !== null ? editConflictText.picture : undefined
          }
          fields={{ description: editConflictText.about }}
          saving={update.isPending}
          // only what was changed here, so that the other person's changes stay
          saveMine={() => save(changesSince(opened, toPayload(draft)), conflict.present.version)}
          takeTheirs={() => {
            rebase(conflict.present);
            update.reset();
          }}
        />
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
