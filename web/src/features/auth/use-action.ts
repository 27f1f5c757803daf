import { commonText } from '@meetmark/i18n/texts/common';
import type { UseMutationResult } from '@tanstack/react-query';
import { serverMessage } from '../../api/client';
import { useOnce } from '../../ui/action-button';
import { useToasts } from '../../ui/toasts';
import { useFailure } from './session';

interface Outcome<Data> {
  success?: string | ((data: Data) => string);
  title?: string;
  failed: string;
  onSuccess?: (data: Data) => void;
  onError?: (error: Error) => void;
  onSettled?: () => void;
}

export function useAction<Data, Variables>(
  mutation: UseMutationResult<Data, Error, Variables>,
): (variables: Variables, outcome: Outcome<Data>) => void {
  const toasts = useToasts();
  const failed = useFailure();
  const mutateOnce = useOnce(mutation);
  return (variables, outcome) =>
    mutateOnce(variables, {
      onSuccess: (data) => {
        const { title, success } = outcome;
        const sentence = typeof success === 'function' ? success(data) : success;
        if (title ?? sentence) toasts.success(title ?? commonText.success, sentence);
        outcome.onSuccess?.(data);
      },
      onError: (error) => {
        failed(error, serverMessage(error) ?? outcome.failed);
        outcome.onError?.(error);
      },
      onSettled: outcome.onSettled,
    });
}
