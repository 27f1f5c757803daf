import {
  type ComponentType,
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { part } from './lazy-part';
import { Slip } from './slip';

export interface Toast {
  kind: 'success' | 'info' | 'error';
  title: string;
  description?: string;
  /** The outlet calls it when the toast is on screen. */
  shown?: () => void;
}

export const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Shows toasts: a title, and a sentence below it when there is more to say. */
export function useToasts() {
  const show = use(ToastContext);
  return useMemo(() => {
    const say = (kind: Toast['kind']) => (title: string, description?: string, shown?: () => void) =>
      show({ kind, title, description, shown });
    return { success: say('success'), info: say('info'), error: say('error') };
  }, [show]);
}

/** Milliseconds for which a plain toast is shown when the outlet could not be loaded. */
const PLAIN_FOR = 5_000;

/** Takes toasts from anywhere below. The outlet that shows them loads after the first screen, so that it delays nothing. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, show] = useState<Toast | null>(null);
  const [plain, setPlain] = useState<Toast | null>(null);
  // Not React.lazy: React holds a lazy part back for 300 ms after another one, and a toast before a redirect has only 500.
  const [Outlet, setOutlet] = useState<ComponentType<{ toast: Toast | null }> | null>(null);
  useEffect(() => {
    if (Outlet) return undefined;
    let superseded = false;
    // In a task of its own: this one has just shown a screen.
    const timer = setTimeout(() => {
      toastOutlet.forget();
      toastOutlet.load().then(
        (Arrived) => setOutlet(() => Arrived),
        () => {
          if (superseded || !toast) return;
          // The next toast loads it again; this one is not shown twice.
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
      {Outlet && <Outlet toast={toast} />}
      {plain && <PlainToast key={plain.title} toast={plain} close={setPlain} />}
    </ToastContext>
  );
}

function PlainToast({ toast, close }: { toast: Toast; close: (toast: null) => void }) {
  const leave = useCallback(() => close(null), [close]);
  useEffect(() => {
    toast.shown?.();
    const timer = setTimeout(leave, PLAIN_FOR);
    return () => clearTimeout(timer);
  }, [toast, leave]);
  return (
    <Slip kind={toast.kind === 'error' ? 'alert' : 'status'} title={toast.title} text={toast.description} />
  );
}

/** Shows toasts and the hints of icons, and lets letters find an entry of a menu. A file of its own, which no first screen waits for. */
const toastOutlet = part(async () => (await import('./toast-outlet')).default, { quiet: true });
