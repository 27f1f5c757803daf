import type { Event } from '@meetmark/contracts';
import { giveUpText as text } from '@meetmark/i18n/texts/event-life';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { isUnauthorized } from '../../api/client';
import { useOnce } from '../../ui/action-button';
import { CardSkeleton, ErrorState } from '../../ui/feedback';
import { useFormats } from '../../ui/use-formats';
import { LinkAction, LinkPage } from '../auth/auth-page';
import styles from '../auth/auth-page.module.css';
import { goToLogin } from '../auth/return-to';
import { useLoggedOutRedirect, useSession } from '../auth/session';
import { EventLoader } from '../events/shared/event-loader';
import { hasBegun, useRegistrationState } from '../events/shared/use-registration-state';
import { myEventsQuery, useUnregister } from './registrations.api';

/** Acts only when its button is pressed, because email scanners open every link. */
export default function GiveUpScreen() {
  const { eventId = '' } = useParams();
  const { user } = useSession();
  if (!user)
    return (
      <LinkPage title={text.title} sentence={text.signInFirst} links={linksTo(eventId)}>
        <div className={styles.form}>
          <Button type="primary" size="large" block onClick={() => goToLogin()}>
            {text.signIn}
          </Button>
        </div>
      </LinkPage>
    );
  return (
    <EventLoader eventId={eventId} page>
      {(event) => <GiveUp event={event} />}
    </EventLoader>
  );
}

const linksTo = (eventId: string) => [
  { to: `/events/${eventId}`, label: text.event },
  { to: '/my-events', label: text.myEvents },
];

function GiveUp({ event }: { event: Event }) {
  const { eventSpan } = useFormats();
  const state = useRegistrationState(event);
  const { data: mine, error, refetch } = useQuery(myEventsQuery);
  const unregistration = useUnregister(event.id);
  const unregisterOnce = useOnce(unregistration);
  const leaveForLogin = useLoggedOutRedirect();
  const [done, setDone] = useState<string | null>(null);
  const links = linksTo(event.id);

  if (done) return <LinkPage title={text.doneTitle} sentence={done} announced links={links} />;
  if (state === 'cancelled') return <LinkPage title={text.cancelled} links={links} />;
  if (hasBegun(state)) return <LinkPage title={text.over} links={links} />;
  if (!mine)
    return (
      <LinkPage title={text.title} links={links}>
        {error ? <ErrorState error={error} retry={() => void refetch()} /> : <CardSkeleton />}
      </LinkPage>
    );
  const place = mine.find(({ id }) => id === event.id);
  if (!place) return <LinkPage title={text.nonePlace} links={links} />;

  const waits = place.waiting !== null;
  const act = () =>
    unregisterOnce(undefined, {
      onSuccess: () => setDone(waits ? text.doneWaiting : text.done),
      onError: (refusal) => isUnauthorized(refusal) && leaveForLogin(),
    });
  return (
    <LinkPage
      title={waits ? text.actWaiting : text.title}
      sentence={(waits ? text.askWaiting : text.ask)({ title: event.title, when: eventSpan(event) })}
      links={links}
    >
      <LinkAction
        call={unregistration}
        words={waits ? { ...text, act: text.actWaiting, acting: text.actingWaiting } : text}
        danger
        press={act}
      />
    </LinkPage>
  );
}
