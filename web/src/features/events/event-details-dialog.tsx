import { detailsText } from '@meetmark/contracts/texts/event-page';
import { Dialog } from '../../ui/dialog';
import styles from './shared/event-details.module.css';
import { EventDetails } from './event-details';
import { EventLoader } from './shared/event-loader';

export default function EventDetailsDialog({ eventId, close }: { eventId: string; close: () => void }) {
  return (
    <Dialog title={detailsText.title} hideTitle close={close} width={1080} className={styles.dialog}>
      {() => (
        <EventLoader eventId={eventId}>
          {(event) => <EventDetails event={event} heading="h2" linkToPage />}
        </EventLoader>
      )}
    </Dialog>
  );
}
