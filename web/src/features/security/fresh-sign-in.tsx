import { useEffect, useState } from 'react';
import { askBy } from '../../api/mutation';
import { lazyDialog } from '../../ui/lazy';

const ConfirmDialog = lazyDialog(() => import('./confirm-dialog'));

export function FreshSignIn() {
  const [deletedAt, setDeletedAt] = useState<string>();
  const [waiting, setWaiting] = useState<((confirmed: boolean) => void)[]>([]);
  useEffect(() => {
    askBy((closed) => {
      setDeletedAt(closed);
      return new Promise((resolve) => setWaiting((others) => [...others, resolve]));
    });
  }, []);
  const settle = (confirmed: boolean) => waiting.forEach((resolve) => resolve(confirmed));
  return (
    waiting.length > 0 && (
      <ConfirmDialog
        deletedAt={deletedAt}
        confirmed={() => settle(true)}
        close={() => {
          settle(false);
          setWaiting([]);
        }}
      />
    )
  );
}
