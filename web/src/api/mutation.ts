import {
  type MutateOptions,
  useMutation as useServerMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query';
import { getErrorDetails, hasCode } from './client';

/** With `deletedAt`, offers to restore the closed account. Then the page is loaded again, or nothing happens. */
type ConfirmIdentity = (deletedAt?: string) => Promise<boolean>;

let confirm: ConfirmIdentity = async () => false;
export const askBy = (asked: ConfirmIdentity) => void (confirm = asked);

const CANCELLED = new Error('cancelled');

export const isCancelled = (error: unknown) => error === CANCELLED;

/**
 * Use it for every change. If the server requires a fresh sign-in, the user is asked to confirm their
 * identity. A sign-in to a closed account offers to restore it. There is no `onError`, because cancelling
 * isn't an error. Use `onSettled` instead.
 */
export function useMutation<Data, Variables = void, Result = unknown>(
  options: Omit<UseMutationOptions<Data, Error, Variables, Result>, 'onError'>,
): UseMutationResult<Data, Error, Variables, Result> {
  const call = options.mutationFn!;
  const mutation = useServerMutation<Data, Error, Variables, Result>({
    ...options,
    mutationFn: (...given) =>
      call(...given).catch(async (error: unknown) => {
        const closed = getErrorDetails(error, 'ACCOUNT_CLOSED');
        if (!closed && !hasCode(error, 'FRESH_SIGN_IN_REQUIRED')) throw error;
        if (await confirm(closed?.deletedAt)) return call(...given);
        throw CANCELLED;
      }),
  });
  return {
    ...mutation,
    ...(isCancelled(mutation.error) && { error: null, isError: false }),
    mutate: (variables: Variables, handlers?: MutateOptions<Data, Error, Variables, Result>) =>
      mutation.mutate(variables, {
        ...handlers,
        onError: (error, ...rest) => isCancelled(error) || handlers?.onError?.(error, ...rest),
      }),
  } as UseMutationResult<Data, Error, Variables, Result>;
}
