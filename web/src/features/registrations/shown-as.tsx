import type { EventPage, ShowMe, User } from '@meetmark/contracts';
import { useId } from 'react';
import { shownText as text } from '../../strings/place';
import { useToasts } from '../../ui/toasts';
import { useFailure } from '../auth/session';
import styles from './registration-card.module.css';
import { useOwnRegistration, useShowMe } from './registrations.api';

/** What others who are coming learn of the member; changed here for this event alone. */
export default function ShownAs({ event, user }: { event: EventPage; user: User }) {
  const id = useId();
  const toasts = useToasts();
  const failed = useFailure();
  const saving = useShowMe(event);
  const own = useOwnRegistration(event);
  const shown = (saving.isPending ? saving.variables : own?.showMe) ?? user.showMe;
  const options = (Object.keys(text.options) as ShowMe[]).filter(
    (option) => option !== 'linkedin' || user.linkedInUrl !== null || shown === option,
  );
  return (
    <p className={styles.shown}>
      <label htmlFor={id}>{text.label}</label>{' '}
      <select
        id={id}
        value={shown}
        onChange={({ target }) =>
          saving.mutate(target.value as ShowMe, {
            onSuccess: () => toasts.success(text.saved),
            onError: (error) => failed(error, text.failed),
          })
        }
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {text.options[option]}
          </option>
        ))}
      </select>
    </p>
  );
}
