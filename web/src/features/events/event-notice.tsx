import type { Event } from '@meetmark/contracts';
import { noticeText as text } from '../../strings/event-page';
import { useFormats } from '../../ui/use-formats';
import styles from './event-details.module.css';

/** What a reader has to know first: that others do not see the event. */
export function EventNotice({ event, preview }: { event: Event; preview: boolean }) {
  const formats = useFormats();
  if (event.status === 'draft')
    return (
      <p className={styles.notice} role="note">
        <strong>{text.draftTitle}</strong>
        <span>
          {preview ? text.previewed : text.draft}{' '}
          {event.publishAt && text.publishes(formats.dateTime(event.publishAt))}
        </span>
      </p>
    );
  if (event.visibility === 'unlisted')
    return (
      <p className={styles.notice} data-tone="quiet" role="note">
        <strong>{text.unlistedTitle}</strong>
        <span>{text.unlisted}</span>
      </p>
    );
  return null;
}
