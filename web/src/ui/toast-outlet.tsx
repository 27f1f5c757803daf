import { App } from 'antd';
import { useEffect } from 'react';
import { ToastGestures } from './toast-gestures';
import type { Toast } from './toasts';

/** Section 9 of the specification: one toast at a time, five seconds. */
const TOAST = { maxCount: 1, duration: 5, placement: 'bottomRight' } as const;

/** Shows each toast that it is given; a newer one takes the place of the last. */
export default function ToastOutlet({ toast }: { toast: Toast }) {
  return (
    <App component={false} notification={TOAST}>
      <ToastGestures />
      <Announce toast={toast} />
    </App>
  );
}

function Announce({ toast }: { toast: Toast }) {
  const { notification } = App.useApp();
  useEffect(() => {
    const { kind, title, description } = toast;
    notification[kind]({ title, description, role: kind === 'error' ? 'alert' : 'status' });
  }, [toast, notification]);
  return null;
}
