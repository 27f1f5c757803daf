import type { EventPage, PlaceOutcome, User } from '@meetmark/contracts';
import { cardText as text } from '@meetmark/i18n/texts/event-page';
import { eventText, registrationText } from '@meetmark/i18n/texts/events';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { Refusal } from '../../ui/feedback';
import { CheckIcon, ClockIcon } from '../../ui/icons';
import { lazyDialog, lazyPart } from '../../ui/lazy';
import { isFree } from '../../ui/price';
import { useFormats } from '../../ui/use-formats';
import { useSession } from '../auth/session';
import { AddToCalendar } from '../events/shared/add-to-calendar';
import { getPaymentNote } from '../events/shared/event';
import { ShareButton } from '../events/shared/share-button';
import { useRegistrationState } from '../events/shared/use-registration-state';
import { RegisterButton } from './register-button';
import { refusalText, registrationAction } from './registration-action';
import styles from './registration-card.module.css';
import { notePlace, getPosition, usePlace } from './registrations.api';
import { RsvpForm, TAKE_OVER } from './rsvp-form';

const UnregisterDialog = lazyDialog(() => import('./unregister-dialog'));
const TakeOver = lazyDialog(() => import('./take-over'));
const OwnRegistration = lazyPart(() => import('./own-registration'));

const KEEP = '#keep-place';

interface CardProps {
  event: EventPage;
  count: number;
  heading: 'h2' | 'h3';
  codePath?: string;
}

interface RegistrationCardProps extends CardProps {
  ref: Ref<HTMLElement>;
  id?: string;
}

export function RegistrationCard({ ref, id, ...card }: RegistrationCardProps) {
  return (
    <section ref={ref} id={id} className={styles.place} aria-label={text.label}>
      <State {...card} />
    </section>
  );
}

interface Arrival {
  refusal: string | null;
}

function State({ event, count, heading, codePath }: CardProps) {
  const client = useQueryClient();
  const formats = useFormats();
  const { user } = useSession();
  const [arrival, setArrival] = useState<Arrival | null>(null);
  const [takesOver, setTakesOver] = useState(() => window.location.hash === TAKE_OVER);
  const [keeps] = useState(() => window.location.hash === KEEP);
  const arrived = arrival !== null;
  const confirmed = (outcome: PlaceOutcome | undefined) => {
    if (outcome?.registration) notePlace(client, event, outcome);
    const { refusal } = outcome ?? {};
    setArrival({ refusal: refusal ? (refusalText(refusal, event) ?? refusal.message) : null });
  };
  const place = usePlace(event);
  const state = useRegistrationState(event);
  const action = registrationAction(state, { signedIn: user !== null, place });
  const notices = <Notices refusal={arrival?.refusal} keepsAsVisitor={keeps && user === null} />;
  // a held registration can be claimed even if the event is full or closed
  if (takesOver && !arrived && place === null && state !== 'ended' && state !== 'cancelled')
    return (
      <Card heading={heading} title={text.held} tone="good">
        <TakeOver event={event} confirmed={confirmed} close={() => setTakesOver(false)} />
      </Card>
    );
  switch (action) {
    case 'register':
    case 'login':
    case 'join':
    case 'joinAfterLogin':
      return (
        <Offer
          event={event}
          count={count}
          heading={heading}
          waitlist={action === 'join' || action === 'joinAfterLogin'}
          notices={notices}
        >
          {user ? (
            <RegisterButton event={event} size="large" />
          ) : codePath ? (
            <>
              <RegisterButton event={event} size="large" />
              <Link to={codePath}>{text.withCode}</Link>
            </>
          ) : (
            <RsvpForm event={event} waitlist={action === 'joinAfterLogin'} confirmed={confirmed} />
          )}
        </Offer>
      );
    case 'registered':
      return <Registered event={event} user={user!} heading={heading} arrived={arrived} keeps={keeps} />;
    case 'waiting':
      return <Waiting event={event} heading={heading} position={getPosition(place)} arrived={arrived} />;
    case 'scheduled':
      return (
        <Card
          heading={heading}
          title={text.opens({
            moment: formats.eventMoment(event, event.registrationOpensAt ?? event.startDate),
          })}
          side={<Price event={event} />}
        >
          {notices}
          <p className={styles.soft}>{text.opensHint}</p>
        </Card>
      );
    case 'closed':
      return (
        <Card heading={heading} title={text.closed}>
          {notices}
          <p className={styles.soft}>{text.closedHint}</p>
        </Card>
      );
    case 'full':
      return (
        <Card heading={heading} tone="warm" title={text.full}>
          {notices}
          <p className={styles.soft}>{registrationText.failures.EVENT_FULL}</p>
          <RegisterButton event={event} size="large" />
        </Card>
      );
    case 'cancelled':
      return (
        <Card heading={heading} tone="bad" title={text.cancelledTitle}>
          <p className="anywhere pre-line" dir="auto">
            {event.cancelReason ? text.reason({ reason: event.cancelReason }) : text.cancelledHint}
          </p>
        </Card>
      );
    case 'ended':
      return <Ended event={event} heading={heading} running={state === 'started'} />;
  }
}

interface NoticesProps {
  refusal: string | null | undefined;
  keepsAsVisitor: boolean;
}

const Notices = ({ refusal, keepsAsVisitor }: NoticesProps) => (
  <>
    {refusal && <Refusal>{refusal}</Refusal>}
    {keepsAsVisitor && <p role="status">{text.staysForVisitors}</p>}
  </>
);

interface OfferProps extends Omit<CardProps, 'codePath'> {
  waitlist: boolean;
  notices: ReactNode;
  children: ReactNode;
}

function Offer({ event, count, heading, waitlist, notices, children }: OfferProps) {
  const { capacity, waitingCount } = event;
  const left = capacity === null ? null : Math.max(0, capacity - count);
  const going = count === 0 ? eventText.noneGoing : eventText.going({ registered: count });
  const isScarce = waitlist || (left !== null && isAlmostFull(left, capacity));
  return (
    <Card
      heading={heading}
      title={waitlist ? text.full : left === null ? text.reserve : text.left({ count: left })}
      tone={isScarce ? 'warm' : undefined}
      side={<Price event={event} />}
    >
      {waitlist ? (
        <p className={styles.soft}>
          {text.fullHint}
          {waitingCount > 0 && ` ${registrationText.othersWaiting({ count: waitingCount })}.`}
        </p>
      ) : (
        <p className={styles.soft}>
          {capacity === null ? going : eventText.places({ registered: count, capacity })}
        </p>
      )}
      {notices}
      {children}
    </Card>
  );
}

interface WaitingProps {
  event: EventPage;
  heading: 'h2' | 'h3';
  position: ReturnType<typeof getPosition>;
  arrived: boolean;
}

function Waiting({ event, heading, position, arrived }: WaitingProps) {
  return (
    <Card
      heading={heading}
      tone="warm"
      arrived={arrived}
      eyebrow={
        <>
          <ClockIcon size={18} /> {text.waiting}
        </>
      }
      title={text.waitingTitle({ position })}
      side={<Price event={event} />}
    >
      <p className={styles.soft}>{registrationText.waitingHint}</p>
      <GiveUp event={event} waiting label={registrationText.leave} />
    </Card>
  );
}

interface EndedProps {
  event: EventPage;
  heading: 'h2' | 'h3';
  running: boolean;
}

function Ended({ event, heading, running }: EndedProps) {
  return (
    <Card heading={heading} title={running ? text.closed : text.ended}>
      <p className={styles.soft}>{running ? text.startedHint : text.endedHint}</p>
      {(event.content.recap || event.content.resources.length > 0) && (
        <p className={styles.links}>
          {event.content.recap && <a href="#recap">{text.endedRecap}</a>}
          {event.content.resources.length > 0 && <a href="#resources">{text.endedResources}</a>}
        </p>
      )}
    </Card>
  );
}

const isAlmostFull = (left: number, capacity: number | null) => left <= Math.max(3, (capacity ?? 0) / 10);

interface FrameProps {
  heading: 'h2' | 'h3';
  title: string;
  tone?: 'good' | 'warm' | 'bad';
  eyebrow?: ReactNode;
  side?: ReactNode;
  arrived?: boolean;
  children: ReactNode;
}

function Card({ heading: Heading, title, tone, eyebrow, side, arrived = false, children }: FrameProps) {
  const titleElement = useRef<HTMLHeadingElement>(null);
  // after a sign-in, the frame focuses the screen's heading; this effect runs later and moves the focus
  useEffect(() => {
    if (arrived) titleElement.current?.focus();
  }, [arrived]);
  return (
    <div className={styles.card} data-tone={tone}>
      {eyebrow && <p className={styles.eyebrow}>{eyebrow}</p>}
      <div className={styles.top}>
        <Heading ref={titleElement} tabIndex={arrived ? -1 : undefined} className={styles.title}>
          {title}
        </Heading>
        {side}
      </div>
      {children}
    </div>
  );
}

/** Longest payment note, in characters, that fits next to the title. */
const SHORT_NOTE = 40;

function Price({ event }: { event: EventPage }) {
  const formats = useFormats();
  const community = useCommunity();
  const note = isFree(event.price) ? '' : getPaymentNote(event, community);
  return (
    <p className={styles.price} data-long={note.length > SHORT_NOTE || undefined}>
      <strong>{formats.price(event.price)}</strong>
      {note && <span dir="auto">{note}</span>}
    </p>
  );
}

interface RegisteredProps {
  event: EventPage;
  user: User;
  heading: 'h2' | 'h3';
  arrived: boolean;
  keeps: boolean;
}

function Registered({ event, user, heading, arrived, keeps }: RegisteredProps) {
  return (
    <Card
      heading={heading}
      tone="good"
      arrived={arrived || keeps}
      eyebrow={
        <>
          <CheckIcon size={18} /> {text.registered}
        </>
      }
      title={text.youAreIn({ firstName: user.firstName })}
      side={isFree(event.price) ? undefined : <Price event={event} />}
    >
      {keeps && <p role="status">{text.stays}</p>}
      <p className={styles.soft}>
        {user.emailVerifiedAt === null ? text.sentLater : text.sentTo({ email: user.email })}
      </p>
      <div className={styles.actions}>
        <AddToCalendar event={event} />
        <ShareButton event={event} />
        <OwnRegistration event={event} user={user} />
      </div>
      <GiveUp event={event} label={text.cannotMakeIt} name={`${text.cannotMakeIt} ${text.unregister}`} />
    </Card>
  );
}

interface GiveUpProps {
  event: EventPage;
  waiting?: boolean;
  label: string;
  name?: string;
}

function GiveUp({ event, waiting = false, label, name }: GiveUpProps) {
  const [asking, setAsking] = useState(false);
  return (
    <div>
      <Button type="link" className={styles.link} aria-label={name} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && <UnregisterDialog event={event} waiting={waiting} close={() => setAsking(false)} />}
    </div>
  );
}

interface RegistrationBarProps {
  event: EventPage;
  card: RefObject<HTMLElement | null>;
  /** A dialog shows the bar even on wide screens. There, its button sends visitors to the login. */
  inDialog?: boolean;
}

export function RegistrationBar({ event, card, inDialog = false }: RegistrationBarProps) {
  const { user } = useSession();
  const place = usePlace(event);
  const action = registrationAction(useRegistrationState(event), { signedIn: user !== null, place });
  const offered =
    action === 'register' || action === 'join' || action === 'login' || action === 'joinAfterLogin';
  const hidden = useActionInView(card) || !offered;
  return (
    <div className={styles.bar} data-hidden={hidden || undefined} inert={hidden}>
      <Price event={event} />
      {offered &&
        (user || inDialog ? (
          <RegisterButton event={event} />
        ) : (
          <Button type="primary" onClick={() => card.current?.querySelector('input')?.focus()}>
            {action === 'login' ? registrationText.register : registrationText.join}
          </Button>
        ))}
    </div>
  );
}

const STEPS = Array.from({ length: 21 }, (_, step) => step / 20);
/** Height in pixels of the part of the card below its button. */
const BELOW_ACTION = 72;

function useActionInView(element: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(true);
  useEffect(() => {
    if (!('IntersectionObserver' in window) || !element.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const { bottom } = entries.at(-1)!.boundingClientRect;
        setInView(bottom > 2 * BELOW_ACTION && bottom <= window.innerHeight + BELOW_ACTION);
      },
      { threshold: STEPS },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return inView;
}
