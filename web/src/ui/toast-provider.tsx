import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { loadToastOutlet } from './load-toast-outlet';
import { type Toast, ToastContext } from './toasts';

/** Takes toasts from anywhere below. What shows them is loaded after the first screen, so that it does not hold that up. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, show] = useState<Toast | null>(null);
  // Not React.lazy: React holds a lazy part back for 300 ms after another one, and a toast before a redirect has only 500.
  const [Outlet, setOutlet] = useState<ComponentType<{ toast: Toast }> | null>(null);
  useEffect(() => {
    if (Outlet) return;
    // Not within this task, which has just shown a screen.
    const timer = setTimeout(() =>
      loadToastOutlet().then(
        ({ default: ToastOutlet }) => setOutlet(() => ToastOutlet),
        // Without a connection: the next toast asks again.
        (error: unknown) => console.error('Toasts cannot be shown yet', error),
      ),
    );
    return () => clearTimeout(timer);
  }, [Outlet, toast]);
  return (
    <ToastContext value={show}>
      {children}
      {toast && Outlet && <Outlet toast={toast} />}
    </ToastContext>
  );
}
