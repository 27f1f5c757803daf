import { useSearchParams } from 'react-router-dom';
import { useCommunity } from '../../../api/community';
import { calendarText as text } from '../../../strings/events';
import { lazyDialog } from '../../../ui/lazy';
import { useSession } from '../../auth/session';
import styles from './calendar-screen.module.css';

const EventFormDialog = lazyDialog(() => import('../event-form/event-form-dialog'));

/** `?create=1` in the address: the dashboard's quick action and the button of this screen (D7). */
export function useCreateParameter() {
  const [search, setSearch] = useSearchParams();
  const set = (wanted: boolean) =>
    setSearch(
      (current) => {
        if (wanted) current.set('create', '1');
        else current.delete('create');
        return current;
      },
      { replace: true },
    );
  return { wanted: search.has('create'), start: () => set(true), stop: () => set(false) };
}

/** The shared form for administrators; others read why there is none. */
export function CreateEvent({ close }: { close: () => void }) {
  const { user } = useSession();
  const { supportEmail } = useCommunity();
  if (user?.isAdmin) return <EventFormDialog close={close} />;
  return (
    <p className={styles.note} role="note">
      <strong>{text.onlyAdministrators}</strong> {text.onlyAdministratorsHint}{' '}
      <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
    </p>
  );
}
