import type { Event, ScannedCode, SelfCheckIn, User } from '@meetmark/contracts';
import { SELF_CHECK_IN_BEFORE } from '@meetmark/contracts/limits';
import { checkInText, scannedText } from '@meetmark/i18n/texts/place';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { isUnauthorized, sendForJson, serverMessage } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { ActionButton, useOnce } from '../../ui/action-button';
import { CardSkeleton, ErrorState, Refusal } from '../../ui/feedback';
import { EmailField } from '../../ui/field';
import { looksLikeEmail, useForm } from '../../ui/use-form';
import { useFormats } from '../../ui/use-formats';
import { useNow } from '../../ui/use-now';
import { LinkAction, LinkPage } from '../auth/auth-page';
import styles from '../auth/auth-page.module.css';
import { requestSignInCode } from '../auth/auth.api';
import { SignInCode } from '../auth/code-entry';
import { goToLogin, noteReturnTo } from '../auth/return-to';
import { useLoggedOutRedirect, useSession } from '../auth/session';
import { hasEnded } from '../events/shared/event';
import { EventLoader } from '../events/shared/event-loader';
import { useRegistrationState } from '../events/shared/use-registration-state';
import { myEventsQuery, usePlace } from './registrations.api';

/** A venue's code offers the check-in. A guest's code reveals nothing about the guest. */
export default function ScannedCodeScreen() {
  const { code = '' } = useParams();
  const { data, error, refetch } = useQuery({
    queryKey: ['/api/codes', code],
    queryFn: ({ signal }) => sendForJson<ScannedCode>(`/api/codes/${encodeURIComponent(code)}`, { signal }),
  });
  if (!data)
    return (
      <LinkPage title={scannedText.loading}>
        {error ? <ErrorState error={error} retry={() => void refetch()} /> : <CardSkeleton />}
      </LinkPage>
    );
  if (data.eventId === null) return <TicketCode />;
  return (
    <EventLoader eventId={data.eventId} page>
      {(event) => <AtVenue event={event} venueCode={code} />}
    </EventLoader>
  );
}

const TicketCode = () => (
  <LinkPage
    title={scannedText.ticket}
    sentence={scannedText.ticketHint}
    links={[
      { to: '/', label: scannedText.home },
      { to: '/my-events', label: scannedText.myEvents },
    ]}
  >
    <p className={styles.subtitle}>{scannedText.ticketDoor}</p>
  </LinkPage>
);

interface AtVenueProps {
  event: Event;
  venueCode: string;
}

function AtVenue({ event, venueCode }: AtVenueProps) {
  const { user } = useSession();
  const state = useRegistrationState(event);
  const now = useNow();
  const links = [{ to: `/events/${event.id}`, label: checkInText.register }];
  if (state === 'cancelled') return <LinkPage title={checkInText.cancelled} links={links} />;
  if (hasEnded(event, now)) return <LinkPage title={checkInText.over} links={links} />;
  if (user) return <SignedIn event={event} user={user} venueCode={venueCode} now={now} links={links} />;
  return (
    <LinkPage
      title={checkInText.title}
      sentence={checkInText.signInFirst({ event: event.title })}
      links={links}
    >
      <SignInHere />
    </LinkPage>
  );
}

interface SignedInProps extends AtVenueProps {
  user: User;
  now: number;
  links: { to: string; label: string }[];
}

function SignedIn({ event, user, venueCode, now, links }: SignedInProps) {
  const formats = useFormats();
  const { data: mine, error, refetch } = useQuery(myEventsQuery);
  const place = usePlace(event);
  const checkIn = useCheckIn(event, venueCode);
  const checkInOnce = useOnce(checkIn);
  const leaveForLogin = useLoggedOutRedirect();
  const opens = Date.parse(event.startDate) - SELF_CHECK_IN_BEFORE;

  if (checkIn.data) {
    const { checkedInAt, pressedAt } = checkIn.data;
    const earlier = pressedAt - Date.parse(checkedInAt) > MOMENT;
    const time = formats.eventHours(event, checkedInAt);
    return (
      <LinkPage
        title={checkInText.done({ firstName: user.firstName })}
        sentence={earlier ? checkInText.alreadyAt({ time }) : checkInText.doneAt({ time })}
        announced
        links={links}
      />
    );
  }
  if (!mine)
    return (
      <LinkPage title={checkInText.title} links={links}>
        {error ? <ErrorState error={error} retry={() => void refetch()} /> : <CardSkeleton />}
      </LinkPage>
    );
  if (place === null)
    return (
      <LinkPage
        title={checkInText.nonePlace}
        sentence={checkInText.nonePlaceHint({ event: event.title })}
        links={links}
      />
    );
  if (place !== 'registered')
    return <LinkPage title={checkInText.waiting} sentence={checkInText.waitingHint} links={links} />;
  if (now < opens)
    return (
      <LinkPage
        title={checkInText.opens({ moment: formats.eventMoment(event, new Date(opens).toISOString()) })}
        sentence={checkInText.opensHint({ event: event.title })}
        links={links}
      />
    );
  return (
    <LinkPage
      title={checkInText.title}
      sentence={checkInText.ask({ event: event.title, when: formats.eventSpan(event) })}
      links={links}
    >
      <LinkAction
        call={checkIn}
        words={checkInText}
        press={() =>
          checkInOnce(undefined, { onError: (refused) => isUnauthorized(refused) && leaveForLogin() })
        }
      />
    </LinkPage>
  );
}

/** A check-in up to this many milliseconds before the button press counts as new, because clocks differ. */
const MOMENT = 60_000;

const useCheckIn = ({ id }: Event, venueCode: string) =>
  useMutation({
    mutationFn: async () => {
      const pressedAt = Date.now();
      const path = `/api/events/${id}/check-in`;
      return {
        pressedAt,
        ...(await sendForJson<SelfCheckIn>(path, { method: 'POST', body: { venueCode } })),
      };
    },
  });

const findErrors = ({ email }: { email: string }) =>
  email.trim() === ''
    ? { email: checkInText.emailRequired }
    : looksLikeEmail(email)
      ? {}
      : { email: checkInText.emailInvalid };

function SignInHere() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { form, bind, submit } = useForm({ email: '' }, findErrors);
  const request = useMutation({ mutationFn: requestSignInCode });
  const requestOnce = useOnce(request);
  if (sentTo !== null) return <SignInCode email={sentTo} close={() => goToLogin()} />;
  const ask = submit(({ email }) => {
    const address = email.trim();
    requestOnce(address, {
      onSuccess: () => {
        noteReturnTo(window.location.pathname);
        setSentTo(address);
      },
    });
  });
  return (
    <form ref={form} className={styles.form} onSubmit={ask} noValidate>
      <EmailField label={checkInText.email} {...bind('email')} />
      {request.isError && <Refusal>{serverMessage(request.error) ?? checkInText.sendFailed}</Refusal>}
      <ActionButton type="primary" htmlType="submit" size="large" block inactive={request.isPending}>
        {request.isPending ? checkInText.sending : checkInText.sendCode}
      </ActionButton>
      <Button type="text" onClick={() => goToLogin()}>
        {checkInText.password}
      </Button>
    </form>
  );
}
