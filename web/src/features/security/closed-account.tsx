import { useEffect, useState } from 'react';
import { offerBy } from '../../api/mutation';
import { lazyDialog } from '../../ui/lazy';

const RestoreDialog = lazyDialog(() => import('./restore-dialog'));

/** Opens after any way to sign in to an account that its owner deleted. */
export function ClosedAccount() {
  const [offered, setOffered] = useState<{ deletedAt: string; resolve: () => void } | null>(null);
  useEffect(() => {
    offerBy((deletedAt) => new Promise((resolve) => setOffered({ deletedAt, resolve })));
  }, []);
  return (
    offered && (
      <RestoreDialog
        deletedAt={offered.deletedAt}
        close={() => {
          offered.resolve();
          setOffered(null);
        }}
      />
    )
  );
}
