import { createContext, use, useMemo } from 'react';

/** Section 9 of the specification: one toast at a time, five seconds. */
export const TOAST = { maxCount: 1, duration: 5, placement: 'bottomRight' } as const;
/** Pixels of a sideways swipe that send a toast away. */
export const SWIPE_THRESHOLD = 50;
export const FOCUS_HOTKEY = 'F8';

export interface Toast {
  kind: 'success' | 'info' | 'error';
  title: string;
  description?: string;
}

/** What shows toasts: a file of its own, which no first screen waits for. */
export const loadToastOutlet = () => import('./toast-outlet');

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
