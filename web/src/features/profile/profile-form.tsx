import { LIMITS } from '@meetmark/contracts/limits';
import type { Edit, User } from '@meetmark/contracts';
import { editConflictText } from '@meetmark/i18n/texts/edit-conflict';
import { pendingEmailText as pendingText } from '@meetmark/i18n/texts/links';
import { profileText as text } from '@meetmark/i18n/texts/profile';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, hasCode, isUnauthorized, refusedFields, serverMessage } from '../../api/client';
import { changesSince, EditConflict, getEditConflict } from '../../ui/edit-conflict';
import { ActionButton, useOnce } from '../../ui/action-button';
import { EmailField, Field, FirstNameField, LastNameField, TextArea } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { useToasts } from '../../ui/toasts';
import { whatToDo } from '../../ui/what-to-do';
import { useFailure } from '../auth/session';
import { codeSentTo, type ProfileFields, toProfileFields, useUpdateProfile } from './profile.api';
import styles from './profile.module.css';

interface ProfileFormProps {
  base: User;
  draft: ProfileFields;
  change: (changed: Partial<ProfileFields>) => void;
  rebase: (present: User) => void;
  leaveEditing: () => void;
}

const toPayload = (draft: ProfileFields): ProfileFields => ({
  ...draft,
  description: draft.description || null,
  linkedInUrl: draft.linkedInUrl || null,
});

export function ProfileForm({ base, draft, change, rebase, leaveEditing }: ProfileFormProps) {
  const [currentPassword, setCurrentPassword] = useState('');
  const movesAddress = draft.email.trim().toLowerCase() !== base.email.toLowerCase();
  const { save, update } = useSave(movesAddress, leaveEditing);

  const conflict = getEditConflict<User>(update.error);
  const saveChanges = (changes: Partial<ProfileFields>, version: number) =>
    save({ ...changes, ...(movesAddress && currentPassword && { currentPassword }), version });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saveChanges(toPayload(draft), base.version);
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
      {movesAddress && (
        <PasswordProof
          hasPassword={base.hasPassword}
          value={currentPassword}
          error={wrongPassword ? serverMessage(update.error) : undefined}
          change={setCurrentPassword}
        />
      )}
      <TextArea
        label={text.about}
        placeholder={text.aboutPlaceholder}
        rows={4}
        maxLength={LIMITS.description}
        value={draft.description ?? ''}
        error={wrong.description}
        onChange={(description) => change({ description })}
      />
      <Field
        label={text.linkedInUrl}
        hint={text.linkedInHints[base.showMe === 'linkedin' ? 'linkedin' : 'hidden']({
          title: text.parts.privacy,
        })}
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
        <ProfileConflict
          conflict={conflict}
          base={base}
          draft={draft}
          saving={update.isPending}
          save={saveChanges}
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

function useSave(movesAddress: boolean, saved: () => void) {
  const toasts = useToasts();
  const failed = useFailure();
  const update = useUpdateProfile();
  const updateOnce = useOnce(update);
  const save = (changes: Parameters<typeof updateOnce>[0]) =>
    updateOnce(changes, {
      onSuccess: ({ email, pendingEmail }) => {
        const wantsCode = movesAddress && pendingEmail !== null;
        const sentTo = wantsCode && codeSentTo.get(pendingEmail) === 'new' ? pendingEmail : email;
        toasts.success(text.updated, wantsCode ? text.updatedWithCode({ email: sentTo }) : undefined);
        saved();
      },
      onError: (error) => {
        if (getEditConflict(error)) return;
        failed(error, error instanceof ApiError ? text.failed : text.networkError);
      },
    });
  return { save, update };
}

interface PasswordProofProps {
  hasPassword: boolean;
  value: string;
  error: string | null | undefined;
  change: (password: string) => void;
}

/** Members without a password only have to verify the new email address. */
function PasswordProof({ hasPassword, value, error, change }: PasswordProofProps) {
  if (!hasPassword) return <p className={styles.soft}>{pendingText.noPasswordHint}</p>;
  return (
    <Field
      label={pendingText.currentPassword}
      type="password"
      autoComplete="current-password"
      maxLength={LIMITS.password}
      hint={<span>{pendingText.currentPasswordHint}</span>}
      value={value}
      error={error}
      onChange={change}
    />
  );
}

interface ProfileConflictProps {
  conflict: { edits: Edit[]; present: User };
  base: User;
  draft: ProfileFields;
  saving: boolean;
  save: (changes: Partial<ProfileFields>, version: number) => void;
  takeTheirs: () => void;
}

function ProfileConflict({ conflict, base, draft, saving, save, takeTheirs }: ProfileConflictProps) {
  const { edits, present } = conflict;
  const opened = toPayload(toProfileFields(base));
  const mine = toPayload(draft);
  return (
    <EditConflict
      edits={edits}
      base={opened}
      mine={mine}
      theirs={toPayload(toProfileFields(present))}
      show={(name, value) =>
        name === 'profileImageUrl' && value !== null ? editConflictText.picture : undefined
      }
      fields={{ description: editConflictText.about }}
      saving={saving}
      saveMine={() => save(changesSince(opened, mine), present.version)}
      takeTheirs={takeTheirs}
    />
  );
}
