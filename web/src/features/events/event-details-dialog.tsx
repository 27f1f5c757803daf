import { useSearchParams } from 'react-router-dom';
import { detailsText } from '../../strings/events';
import { Dialog } from '../../ui/dialog';
import styles from './event-details-dialog.module.css';
import { EventDetails } from './event-details';
import { EventLoader } from './event-loader';

/** The details of the event that the address names (`?event={id}`); closing takes it out of the address. */
export default function EventDetailsDialog({ eventId }: { eventId: string }) {
  const [, setSearch] = useSearchParams();
  const close = () =>
    setSearch((search) => {
      search.delete('event');
      return search;
    });
  return (
    <Dialog title={detailsText.title} hideTitle close={close} width={760} className={styles.dialog}>
      {() => (
        <EventLoader eventId={eventId}>
          {(event) => <EventDetails event={event} heading="h2" linkToPage />}
        </EventLoader>
      )}
    </Dialog>
  );
}
