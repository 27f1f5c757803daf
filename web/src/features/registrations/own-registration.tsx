import type {
  Answers,
  Event,
  EventPage,
  PlaceShows,
  Question,
  Registration,
  User,
} from '@meetmark/contracts';
import { ownRegistrationText as text, questionsText } from '@meetmark/i18n/texts/questions';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { sendForJson } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { useCommunity } from '../../api/community';
import { useToasts } from '../../ui/toasts';
import { useFailure } from '../auth/session';
import { refreshEvents } from '../events/shared/events.api';
import OwnCode from './own-code';
import { formatAnswer } from './questions';
import styles from './registration-card.module.css';
import { myEventsQuery, notePlace } from './registrations.api';

interface OwnRegistrationProps {
  event: EventPage;
  user: User;
}

export default function OwnRegistration({ event, user }: OwnRegistrationProps) {
  const answers = event.registrations[0]?.answers;
  return (
    <>
      <OwnCode event={event} />
      <ShownAs event={event} user={user} />
      {answers && <OwnAnswers questions={event.content.questions} answers={answers} />}
    </>
  );
}

function ShownAs({ event, user }: OwnRegistrationProps) {
  const id = useId();
  const toasts = useToasts();
  const failed = useFailure();
  const saving = useShowMe(event);
  const { publicAttendees } = useCommunity();
  const { data: mine } = useQuery(myEventsQuery);
  const { registrations } = mine?.find(({ id }) => id === event.id) ?? event;
  const own = registrations.find(({ status }) => status === 'registered');
  const shown = (saving.isPending ? saving.variables : own?.showMe) ?? user.showMe;
  const isOffered = { no: true, name: true, linkedin: user.linkedInUrl !== null, public: publicAttendees };
  const options = (Object.keys(text.shownOptions) as PlaceShows[]).filter(
    (option) => isOffered[option] || shown === option,
  );
  return (
    <p className={styles.shown}>
      <label htmlFor={id}>{text.shownAs}</label>{' '}
      <select
        id={id}
        value={shown}
        onChange={({ target }) =>
          saving.mutate(target.value as PlaceShows, {
            onSuccess: () => toasts.success(text.shownSaved),
            onError: (error) => failed(error, text.shownFailed),
          })
        }
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {text.shownOptions[option]}
          </option>
        ))}
      </select>
    </p>
  );
}

const OwnAnswers = ({ questions, answers }: { questions: Question[]; answers: Answers }) => (
  <details className={styles.answers}>
    <summary>{questionsText.yours}</summary>
    <dl>
      {questions.map(
        ({ id, label }) =>
          answers[id] !== undefined && (
            <div key={id}>
              <dt dir="auto">{label}</dt>
              <dd dir="auto">{formatAnswer(answers[id])}</dd>
            </div>
          ),
      )}
    </dl>
  </details>
);

function useShowMe(event: Event) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (showMe: PlaceShows) =>
      sendForJson<Registration>(`/api/events/${event.id}/register`, { method: 'PUT', body: { showMe } }),
    onSuccess: (registration) => notePlace(client, event, { registration }),
    onSettled: () => void refreshEvents(client),
  });
}
