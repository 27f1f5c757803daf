import { createContext, use, useMemo } from 'react';

export interface Toast {
  kind: 'success' | 'info' | 'error';
  title: string;
  description?: string;
}

export const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Toasts in the words of the catalogue: a title, and a sentence below it when there is more to say. */
export function useToasts() {
  const show = use(ToastContext);
  return useMemo(() => {
    const say = (kind: Toast['kind']) => (title: string, description?: string) =>
      show({ kind, title, description });
    return { success: say('success'), info: say('info'), error: say('error') };
  }, [show]);
}
