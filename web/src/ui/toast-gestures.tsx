import { App } from 'antd';
import { useEffect } from 'react';
import { TOAST_SELECTOR, toastAt } from './toast-place';

/** Pixels of a sideways swipe that send a toast away. */
const SWIPE_THRESHOLD = 50;
const FOCUS_HOTKEY = 'F8';

/** What antd's notification lacks: F8 moves the focus to the toast, a sideways swipe dismisses it. */
export function ToastGestures() {
  const { notification } = App.useApp();
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    let swipe: { toast: HTMLElement; startX: number } | null = null;

    const focusToast = (event: KeyboardEvent) => {
      const toast = document.querySelector<HTMLElement>(TOAST_SELECTOR);
      if (event.key !== FOCUS_HOTKEY || !toast) return;
      event.preventDefault();
      toast.tabIndex = -1;
      toast.focus();
    };
    const start = (event: PointerEvent) => {
      const toast = toastAt(event.target);
      swipe = toast && { toast, startX: event.clientX };
    };
    const move = (event: PointerEvent) => {
      if (swipe) swipe.toast.style.translate = `${event.clientX - swipe.startX}px 0`;
    };
    const end = (event: PointerEvent) => {
      if (!swipe) return;
      if (event.type === 'pointerup' && Math.abs(event.clientX - swipe.startX) >= SWIPE_THRESHOLD)
        notification.destroy();
      else swipe.toast.style.translate = '';
      swipe = null;
    };

    document.addEventListener('keydown', focusToast, { signal });
    document.addEventListener('pointerdown', start, { signal });
    document.addEventListener('pointermove', move, { signal });
    document.addEventListener('pointerup', end, { signal });
    document.addEventListener('pointercancel', end, { signal });
    return () => listening.abort();
  }, [notification]);
  return null;
}
