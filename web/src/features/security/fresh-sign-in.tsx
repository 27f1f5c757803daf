import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react';
import { hasCode } from '../../api/client';
import { lazyDialog } from '../../ui/lazy';

const ConfirmDialog = lazyDialog(() => import('./confirm-dialog'));

/** Asks the person to prove who they are; false when they close the dialog. */
type Confirm = () => Promise<boolean>;

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false));

/** Makes a call. If the server requires a fresh sign-in, asks for it and makes the call once more. */
export function useFreshSignIn() {
  const confirm = use(ConfirmContext);
  return useCallback(
    async <T,>(call: () => Promise<T>): Promise<T> => {
      try {
        return await call();
      } catch (error) {
        if (!hasCode(error, 'FRESH_SIGN_IN_REQUIRED') || !(await confirm())) throw error;
        return call();
      }
    },
    [confirm],
  );
}

/** Holds the dialog of the fresh sign-in: one for all calls that wait for it. */
export function FreshSignInProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const waiting = useRef<((confirmed: boolean) => void)[]>([]);
  const confirm = useCallback<Confirm>(() => {
    setOpen(true);
    return new Promise((resolve) => waiting.current.push(resolve));
  }, []);
  const settle = (confirmed: boolean) => {
    for (const resolve of waiting.current.splice(0)) resolve(confirmed);
  };
  return (
    <ConfirmContext value={confirm}>
      {children}
      {open && (
        <ConfirmDialog
          confirmed={() => settle(true)}
          close={() => {
            setOpen(false);
            settle(false);
          }}
        />
      )}
    </ConfirmContext>
  );
}
