import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { toastOutlet } from './load-toast-outlet';
import { Slip } from './slip';
import { type Toast, ToastContext } from './toasts';

/** Milliseconds that a toast is shown where what shows it well could not be loaded. */
const PLAIN_FOR = 5_000;

/** Takes toasts from anywhere below. What shows them is loaded after the first screen, so that it does not hold that up. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, show] = useState<Toast | null>(null);
  const [plain, setPlain] = useState<Toast | null>(null);
  // Not React.lazy: React holds a lazy part back for 300 ms after another one, and a toast before a redirect has only 500.
  const [Outlet, setOutlet] = useState<ComponentType<{ toast: Toast }> | null>(null);
  useEffect(() => {
    if (Outlet) return undefined;
    let superseded = false;
    // Not within this task, which has just shown a screen.
    const timer = setTimeout(() => {
      toastOutlet.forget();
      toastOutlet.load().then(
        (Arrived) => setOutlet(() => Arrived),
        () => {
          if (superseded || !toast) return;
          // The next toast asks again; this one is not shown twice.
          setPlain(toast);
          show(null);
        },
      );
    });
    return () => {
      superseded = true;
      clearTimeout(timer);
    };
  }, [Outlet, toast]);
  return (
    <ToastContext value={show}>
      {children}
      {toast && Outlet && <Outlet toast={toast} />}
      {plain && <PlainToast key={plain.title} toast={plain} close={setPlain} />}
    </ToastContext>
  );
}

function PlainToast({ toast, close }: { toast: Toast; close: (toast: null) => void }) {
  const leave = useCallback(() => close(null), [close]);
  useEffect(() => {
    const timer = setTimeout(leave, PLAIN_FOR);
    return () => clearTimeout(timer);
  }, [toast, leave]);
  return (
    <Slip kind={toast.kind === 'error' ? 'alert' : 'status'} title={toast.title} text={toast.description} />
  );
}
