import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { type Toast, ToastContext } from './toasts';

const loadOutlet = () => import('./toast-outlet');
const ToastOutlet = lazy(loadOutlet);

/** Takes toasts from anywhere below. What shows them is loaded after the first screen, so that it does not hold that up. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, show] = useState<Toast | null>(null);
  useEffect(() => void loadOutlet(), []);
  return (
    <ToastContext value={show}>
      {children}
      {toast && (
        <Suspense>
          <ToastOutlet toast={toast} />
        </Suspense>
      )}
    </ToastContext>
  );
}
