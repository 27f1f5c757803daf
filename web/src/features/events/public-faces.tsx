import type { EventPage } from '@meetmark/contracts';
import { detailsText } from '@meetmark/i18n/texts/event-page';
import { useCommunity } from '../../api/community';
import { Avatar } from '../../ui/marks';
import styles from './attendees.module.css';

export default function PublicFaces({ event }: { event: EventPage }) {
  const { locale } = useCommunity();
  const people = event.publicAttendees ?? [];
  const names = people.map(({ firstName, lastName }) => `${firstName} ${lastName}`.trim());
  const others = event.registrationCount - people.length;
  return (
    <div className={styles.shown}>
      <div className={styles.faces} aria-hidden="true">
        {people.map((person, at) => (
          <Avatar key={at} person={person} size={36} />
        ))}
      </div>
      <p className={styles.others} dir="auto">
        {others > 0
          ? `${names.join(', ')} ${detailsText.andOthers({ count: others })}`
          : new Intl.ListFormat(locale).format(names)}
      </p>
    </div>
  );
}
