import type { User } from '@meetmark/contracts';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { isUnauthorized } from '../../../api/client';
import { editConflictOf } from '../../../ui/edit-conflict';
import { commonText } from '../../../strings/common';
import { useToasts } from '../../../ui/toasts';
import { useOnce } from '../../../ui/action-button';
import { useLoggedOutRedirect } from '../../auth/session';
import { refusalText } from './refusal-text';

interface SaveWords {
  done: string;
  taken: string;
  fallback: string;
}

/** Saves the form of a user: a toast and `dismiss` on success; what the server refuses is in `refusal` until it is read. */
export function useSaveUser<Payload>(saving: UseMutationResult<User, Error, Payload>, words: SaveWords) {
  const toasts = useToasts();
  const loggedOut = useLoggedOutRedirect();
  const saveOnce = useOnce(saving);
  const [refusal, setRefusal] = useState<string | null>(null);
  const save = (payload: Payload, dismiss: () => void) =>
    saveOnce(payload, {
      onSuccess: () => {
        toasts.success(commonText.success, words.done);
        dismiss();
      },
      onError: (error) => {
        if (isUnauthorized(error)) return loggedOut();
        // told in the form itself
        return editConflictOf(error) ? undefined : setRefusal(refusalText(error, words));
      },
    });
  return { save, saving: saving.isPending, refusal, refusalRead: () => setRefusal(null) };
}
