import { useEffect, useState } from 'react';
import { askBy } from '../../api/mutation';
import { lazyDialog } from '../../ui/lazy';

const ConfirmDialog = lazyDialog(() => import('./confirm-dialog'));

export function FreshSignIn() {
  const [waiting, setWaiting] = useState<((confirmed: boolean) => void)[]>([]);
  useEffect(() => {
    askBy(() => new Promise((resolve) => setWaiting((others) => [...others, resolve])));
  }, []);
  const settle = (confirmed: boolean) => waiting.forEach((resolve) => resolve(confirmed));
  return (
    waiting.length > 0 && (
      <ConfirmDialog
        confirmed={() => settle(true)}
        close={() => {
          settle(false);
          setWaiting([]);
        }}
      />
    )
  );
}
