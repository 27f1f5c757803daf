import type { UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/** A mutation's `mutate` that does nothing while an earlier call is on its way: a double click has one effect. */
export function useOnce<Data, Variables>(
  mutation: UseMutationResult<Data, Error, Variables>,
): (variables: Variables, handlers?: Parameters<typeof mutation.mutate>[1]) => void {
  const underway = useRef(false);
  return (variables, handlers) => {
    if (underway.current) return;
    underway.current = true;
    mutation.mutate(variables, {
      ...handlers,
      onSettled: (...outcome) => {
        underway.current = false;
        handlers?.onSettled?.(...outcome);
      },
    });
  };
}
