import { App } from 'antd';
import { useEffect } from 'react';
import { ToastGestures } from './toast-gestures';
import { TOAST, type Toast } from './toasts';

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
