import type { UseMutationResult } from '@tanstack/react-query';
import { Button, type ButtonProps } from 'antd';
import { useRef } from 'react';
import { CopyIcon } from './icons';
import { useToasts } from './toasts';

interface ActionButtonProps extends Omit<ButtonProps, 'loading'> {
  /** A press does nothing at the moment: the button looks disabled and says so, but keeps the focus. */
  inactive?: boolean;
  /** Makes the button inactive and shows a spinner, for labels that do not say that something is under way. */
  loading?: boolean;
}

/**
 * A button whose action may be in progress or unavailable. `disabled` would drop the focus to the top of the page on the
 * press.
 */
export function ActionButton({
  inactive = false,
  loading = false,
  className,
  onClick,
  ...button
}: ActionButtonProps) {
  const idle = inactive || loading;
  return (
    <Button
      {...button}
      loading={loading}
      className={[className, idle && 'ant-btn-disabled'].filter(Boolean).join(' ')}
      aria-disabled={idle || undefined}
      onClick={(event) => {
        // Enter in a field presses a submit button, too: the form must not be sent again.
        if (idle) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

interface CopyButtonProps {
  text: string;
  label: string;
  copied: string;
  failed: string;
}

/** Copies a text to the clipboard and says so. */
export function CopyButton({ text, label, copied, failed }: CopyButtonProps) {
  const toasts = useToasts();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.success(copied);
    } catch {
      // Browsers refuse without permission or HTTPS; the text can still be selected by hand.
      toasts.error(failed);
    }
  };
  return (
    <Button icon={<CopyIcon size={18} />} onClick={() => void copy()}>
      {label}
    </Button>
  );
}

/** A mutation's `mutate` that ignores calls while an earlier one runs: a double click has one effect. */
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
