import { App } from 'antd';
import { useMemo } from 'react';

/** Section 9 of the specification: one toast at a time, five seconds. */
export const TOAST = { maxCount: 1, duration: 5, placement: 'bottomRight' } as const;
/** Pixels of a sideways swipe that send a toast away. */
export const SWIPE_THRESHOLD = 50;
export const FOCUS_HOTKEY = 'F8';

/** Toasts in the words of the catalogue: a title, and a sentence below it when there is more to say. */
export function useToasts() {
  const { notification } = App.useApp();
  return useMemo(
    () => ({
      success: (title: string, description?: string) => {
        notification.success({ title, description, role: 'status' });
      },
      info: (title: string, description?: string) => {
        notification.info({ title, description, role: 'status' });
      },
      error: (title: string, description?: string) => {
        notification.error({ title, description, role: 'alert' });
      },
    }),
    [notification],
  );
}
