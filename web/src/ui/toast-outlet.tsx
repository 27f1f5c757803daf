import { App } from 'antd';
import { useEffect, useRef } from 'react';
import { ToastGestures } from './toast-gestures';
import { keepToastsClear, toastAt } from './toast-place';
import type { Toast } from './toasts';

/** Section 9 of the specification: one toast at a time, five seconds. Where it stands is for `keepToastsClear`. */
const SECONDS = 5;
/** Seconds. antd closes a toast at once that gets no limit while it is shown. */
const UNTIL_LEFT = 86_400;
const TOAST = { maxCount: 1, placement: 'topRight' } as const;

/** Shows each toast that it is given; a newer one takes the place of the last. */
export default function ToastOutlet({ toast }: { toast: Toast }) {
  return (
    <App component={false} notification={TOAST}>
      <ToastGestures />
      <Announce toast={toast} />
    </App>
  );
}

/** A toast stays while it has the focus; Escape sends it away and gives the focus back. */
function Announce({ toast }: { toast: Toast }) {
  const { notification } = App.useApp();
  const count = useRef(0);
  useEffect(() => {
    const stop = keepToastsClear();
    return () => stop();
  }, []);
  useEffect(() => {
    count.current += 1;
    const key = `toast-${count.current}`;
    const listening = new AbortController();
    // On the way down: a dialog that is open would take the focus back.
    const early = { capture: true, signal: listening.signal };
    let before: EventTarget | null = null;
    let gone = false;

    const giveBack = () => {
      gone = true;
      if (before instanceof HTMLElement && toastAt(document.activeElement)) before.focus();
    };
    const show = (duration: number) => {
      const { kind, title, description } = toast;
      const role = kind === 'error' ? 'alert' : 'status';
      notification[kind]({ key, title, description, role, duration, onClose: giveBack });
    };
    const hold = (event: FocusEvent) => {
      if (!toastAt(event.target)) return;
      event.stopPropagation();
      if (toastAt(event.relatedTarget)) return;
      before = event.relatedTarget;
      show(UNTIL_LEFT);
    };
    const release = (event: FocusEvent) => {
      if (!gone && toastAt(event.target) && !toastAt(event.relatedTarget)) show(SECONDS);
    };
    const dismiss = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !toastAt(document.activeElement)) return;
      event.stopPropagation();
      giveBack();
      notification.destroy(key);
    };
    show(SECONDS);
    document.addEventListener('focusin', hold, early);
    document.addEventListener('focusout', release, early);
    document.addEventListener('keydown', dismiss, early);
    return () => listening.abort();
  }, [toast, notification]);
  return null;
}
