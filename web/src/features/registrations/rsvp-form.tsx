import type { Event, EventPage, PlaceOutcome } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { cardText as text } from '@meetmark/i18n/texts/event-page';
import { registrationText } from '@meetmark/i18n/texts/events';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { hasCode, sendForJson } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { CURRENT_USER_KEY } from '../../api/query-client';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Refusal } from '../../ui/feedback';
import { Field, FirstNameField, LastNameField } from '../../ui/field';
import { lazyDialog, lazyPart } from '../../ui/lazy';
import { inThisTab, persist, readPersisted } from '../../ui/persisted-state';
import { type FieldErrors, looksLikeEmail, useForm } from '../../ui/use-form';
import { whatToDo } from '../../ui/what-to-do';
import { goToLogin } from '../auth/return-to';
import { refreshEvents } from '../events/shared/events.api';
import { LegalNote } from '../legal/lazy-legal-note';
import { type AnswerFields, givenAnswers, unanswered } from './answers';
import { registrationFailure } from './registration-action';
import styles from './registration-card.module.css';

const RsvpCode = lazyDialog(() => import('./rsvp-code'));

export const TAKE_OVER = '#take-over';

const Questions = lazyPart(() => import('./questions'));

const EMPTY = { email: '', firstName: '', lastName: '' };
type Fields = typeof EMPTY & AnswerFields;

function findErrors({ email, firstName, lastName }: Fields): FieldErrors<Fields> {
  const errors: FieldErrors<Fields> = {};
  if (!email.trim()) errors.email = text.emailRequired;
  else if (!looksLikeEmail(email)) errors.email = text.emailInvalid;
  if (!firstName.trim()) errors.firstName = text.firstNameRequired;
  if (!lastName.trim()) errors.lastName = text.lastNameRequired;
  return errors;
}

const CODE_LIFETIME = 10 * 60_000;

/** Stored per tab, because a phone may unload the page while the visitor reads the email. */
interface Asked {
  flow: string;
  at: number;
  fields: Fields;
}

const getKey = (event: Event) => `rsvp:${event.id}`;

function readAsked(event: Event): Asked | null {
  try {
    const asked = JSON.parse(readPersisted(getKey(event), inThisTab) ?? 'null') as Asked | null;
    return asked && Date.now() - asked.at < CODE_LIFETIME ? asked : null;
  } catch {
    return null;
  }
}

interface RsvpFormProps {
  event: EventPage;
  waitlist: boolean;
  takeOver?: string;
  confirmed: (outcome: PlaceOutcome | undefined) => void;
}

export function RsvpForm({ event, waitlist, takeOver, confirmed }: RsvpFormProps) {
  const client = useQueryClient();
  // guests added by an organiser aren't asked the event's questions
  const questions = takeOver ? [] : event.content.questions;
  const [asked, setAsked] = useState(() => readAsked(event));
  const [showMe, setShowMe] = useState<boolean>();
  const { form, bind, refuseAs, submit } = useForm<Fields>(asked?.fields ?? EMPTY, (fields) => ({
    ...findErrors(fields),
    ...unanswered(questions, fields),
  }));
  const remember = (value: Asked | null) => {
    persist(getKey(event), value && JSON.stringify(value), inThisTab);
    setAsked(value);
  };

  const request = useMutation({
    mutationFn: (person: Fields) =>
      sendForJson<{ flow: string }>(`/api/events/${event.id}/rsvp`, {
        method: 'POST',
        body: {
          email: person.email.trim(),
          firstName: person.firstName.trim(),
          lastName: person.lastName.trim(),
          ...(showMe !== undefined && { showMe: showMe ? 'name' : 'no' }),
          ...(waitlist && { waitlist }),
          ...(takeOver && { takeOver: true }),
          ...(questions.length > 0 && { answers: givenAnswers(questions, person) }),
        },
      }),
    onSuccess: ({ flow }, person) => remember({ flow, at: Date.now(), fields: person }),
    onSettled: (_flow, error) => {
      if (!error) return;
      if (hasCode(error, 'ALREADY_SIGNED_IN')) void client.invalidateQueries({ queryKey: CURRENT_USER_KEY });
      void refreshEvents(client);
    },
  });
  const requestOnce = useOnce(request);
  const ask = submit((person) => requestOnce(person, { onError: refuseAs }));

  const arrive = (outcome: PlaceOutcome | undefined) => {
    persist(getKey(event), null, inThisTab);
    confirmed(outcome);
  };

  const act = takeOver ?? (waitlist ? registrationText.join : registrationText.register);
  if (asked)
    return (
      <RsvpCode
        flow={asked.flow}
        email={asked.fields.email}
        resend={() => request.mutateAsync(asked.fields)}
        arrive={arrive}
        close={() => remember(null)}
      />
    );
  return (
    <form ref={form} className={styles.form} onSubmit={ask} noValidate>
      <Field
        label={text.email}
        type="email"
        autoComplete="email"
        maxLength={LIMITS.email}
        {...bind('email')}
      />
      <div className={styles.pair}>
        <FirstNameField label={text.firstName} {...bind('firstName')} />
        <LastNameField label={text.lastName} {...bind('lastName')} />
      </div>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={showMe ?? true}
          onChange={({ target }) => setShowMe(target.checked)}
        />
        <span>{text.showMe}</span>
      </label>
      {questions.length > 0 && <Questions questions={questions} bind={bind} />}
      {request.isError && <Refusal>{getFailureText(request.error, event)}</Refusal>}
      <ActionButton type="primary" htmlType="submit" size="large" block inactive={request.isPending}>
        {request.isPending ? text.sending : act}
      </ActionButton>
      <LegalNote to="rsvp" className={styles.terms} />
      <p className={styles.second}>
        {text.secondWay}{' '}
        <Button
          type="link"
          className={styles.link}
          onClick={() => goToLogin(takeOver ? `/events/${event.id}${TAKE_OVER}` : undefined)}
        >
          {registrationText.login}
        </Button>
      </p>
    </form>
  );
}

const getFailureText = (error: unknown, event: Event) =>
  hasCode(error, 'EVENT_FULL') || hasCode(error, 'EVENT_NOT_FOUND')
    ? registrationFailure(error, event)
    : whatToDo(error);
