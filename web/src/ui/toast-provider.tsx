import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { type Toast, ToastContext } from './toasts';

/** Takes toasts from anywhere below. What shows them is loaded after the first screen, so that it does not hold that up. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, show] = useState<Toast | null>(null);
  // Not React.lazy: React holds a lazy part back for 300 ms after another one, and a toast before a redirect has only 500.
  const [Outlet, setOutlet] = useState<ComponentType<{ toast: Toast }> | null>(null);
  useEffect(() => {
    const load = async () => {
      const { default: ToastOutlet } = await import('./toast-outlet');
      setOutlet(() => ToastOutlet);
    };
    void load();
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      {toast && Outlet && <Outlet toast={toast} />}
    </ToastContext>
  );
}
