import type { UseMutationResult } from '@tanstack/react-query';
import { Button, type ButtonProps } from 'antd';
import { useRef } from 'react';
import { CopyIcon } from './icons';
import { useToasts } from './toasts';

interface ActionButtonProps extends Omit<ButtonProps, 'loading'> {
  /** Disables the button like `disabled`, but keeps the focus. */
  inactive?: boolean;
  loading?: boolean;
}

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
        // Enter in a field also clicks the submit button, so this prevents sending the form twice
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

export function CopyButton({ text, label, copied, failed }: CopyButtonProps) {
  const toasts = useToasts();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.success(copied);
    } catch {
      // without permission or HTTPS, browsers refuse to copy; people can still select the text
      toasts.error(failed);
    }
  };
  return (
    <Button icon={<CopyIcon size={18} />} onClick={() => void copy()}>
      {label}
    </Button>
  );
}

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
