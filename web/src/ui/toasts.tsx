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
  action?: { label: string; run: () => void };
  shown?: () => void;
}

export const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

export function useToasts() {
  const show = use(ToastContext);
  return useMemo(() => {
    const say = (kind: Toast['kind']) => (title: string, description?: string, shown?: () => void) =>
      show({ kind, title, description, shown });
    return { success: say('success'), info: say('info'), error: say('error') };
  }, [show]);
}

/** Milliseconds that a plain toast is shown when the outlet can't be loaded. */
const PLAIN_FOR = 5_000;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, show] = useState<Toast | null>(null);
  const [plain, setPlain] = useState<Toast | null>(null);
  // not React.lazy, which may be 300 ms late: a toast before a redirect is shown for only 500 ms
  const [Outlet, setOutlet] = useState<ComponentType<{ toast: Toast | null }> | null>(null);
  useEffect(() => {
    if (Outlet) return undefined;
    let superseded = false;
    // in a separate task, because the current one has just rendered a screen
    const timer = setTimeout(() => {
      toastOutlet.forget();
      toastOutlet.load().then(
        (Arrived) => setOutlet(() => Arrived),
        () => {
          if (superseded || !toast) return;
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

const toastOutlet = part(async () => (await import('./toast-outlet')).default, { quiet: true });
