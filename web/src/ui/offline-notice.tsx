import { commonText } from '../strings/common';
import { OfflineIcon } from './icons';
import styles from './offline-notice.module.css';
import { useOffline } from './use-online';

/** Says that there is no connection before one acts. `announced`: to assistive technology, too; once on a page is enough. */
export function OfflineNotice({ announced = false }: { announced?: boolean }) {
  const offline = useOffline();
  return (
    <div role={announced ? 'status' : undefined}>
      {offline && (
        <p className={styles.notice}>
          <OfflineIcon size={18} />
          <span>
            <strong>{commonText.offline}.</strong> {commonText.offlineHint}
          </span>
        </p>
      )}
    </div>
  );
}
