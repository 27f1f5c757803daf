import type { ErrorCode, EventPage, PlaceOutcome, User } from '@meetmark/contracts';
import { cardText as text } from '@meetmark/contracts/texts/event-page';
import { eventText, registrationText } from '@meetmark/contracts/texts/events';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { useCommunity } from '../../api/community';
import { Refusal } from '../../ui/feedback';
import { CheckIcon, ClockIcon } from '../../ui/icons';
import { AgainButton, lazyComponent, lazyDialog } from '../../ui/lazy';
import { isFree } from '../../ui/price';
import { useFormats } from '../../ui/use-formats';
import { useSession } from '../auth/session';
import { AddToCalendar } from '../events/shared/add-to-calendar';
import { paymentNoteOf } from '../events/shared/event';
import { ShareButton } from '../events/shared/share-button';
import { useRegistrationState } from '../events/shared/use-registration-state';
import { ConfirmAddress, KeptUntil } from './kept-until';
import { RegisterButton } from './register-button';
import { registrationAction } from './registration-action';
import styles from './registration-card.module.css';
import { notePlace, positionOf, usePlace } from './registrations.api';
import { RsvpForm, TAKE_OVER } from './rsvp-form';

const UnregisterDialog = lazyDialog(() => import('./unregister-dialog'));
const TakeOver = lazyDialog(() => import('./take-over'));
const OwnRegistration = lazyComponent(() => import('./own-registration'), {
  Failed: AgainButton,
  waiting: null,
});

/** The end of the address in mails that ask whether one keeps the place. */
const KEEP = '#keep-place';

interface CardProps {
  event: EventPage;
  /** How many are registered by now. */
  count: number;
  heading: 'h2' | 'h3';
}

/** Where one stands with an event, and what can be done about it. */
export function RegistrationCard({ ref, ...card }: CardProps & { ref: Ref<HTMLElement> }) {
  return (
    <section ref={ref} className={styles.place} aria-label={text.label}>
      <State {...card} />
    </section>
  );
}

/** What a visitor's code led to, and why it was not what they asked for. */
interface Arrival {
  refusal: string | null;
}

function State({ event, count, heading }: CardProps) {
  const client = useQueryClient();
  const formats = useFormats();
  const { user } = useSession();
  const [arrival, setArrival] = useState<Arrival | null>(null);
  const [takesOver, setTakesOver] = useState(() => window.location.hash === TAKE_OVER);
  const [keeps] = useState(() => window.location.hash === KEEP);
  const arrived = arrival !== null;
  const lapsed = event.pastRegistration?.status === 'lapsed' && user?.emailVerifiedAt === null;
  const confirmed = (outcome: PlaceOutcome | undefined) => {
    if (outcome?.registration) notePlace(client, event, outcome);
    setArrival({ refusal: outcome?.refusal ? refusalText(outcome.refusal, event) : null });
  };
  const place = usePlace(event);
  const state = useRegistrationState(event);
  const action = registrationAction(state, { signedIn: user !== null, place });
  const notices = (
    <Notices refusal={arrival?.refusal} keepsAsVisitor={keeps && user === null} lapsed={lapsed} />
  );
  // also at a full event, or once registration has closed: the place is there
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
            !lapsed && <RegisterButton event={event} size="large" />
          ) : (
            <RsvpForm event={event} waitlist={action === 'joinAfterLogin'} confirmed={confirmed} />
          )}
        </Offer>
      );
    case 'registered':
      return <Registered event={event} user={user!} heading={heading} arrived={arrived} keeps={keeps} />;
    case 'waiting':
      return <Waiting event={event} heading={heading} position={positionOf(place)} arrived={arrived} />;
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
        <Card heading={heading} tone="warm" title={registrationText.full}>
          {notices}
          <p className={styles.soft}>
            {text.full}. {text.noList}
          </p>
        </Card>
      );
    case 'cancelled':
      return (
        <Card heading={heading} tone="bad" title={text.cancelledTitle}>
          <p className={styles.lines} dir="auto">
            {event.cancelReason ? text.reason({ reason: event.cancelReason }) : text.cancelledHint}
          </p>
        </Card>
      );
    case 'ended':
      return (
        <Ended
          event={event}
          heading={heading}
          hint={state === 'started' ? text.startedHint : text.endedHint}
        />
      );
  }
}

interface NoticesProps {
  refusal: string | null | undefined;
  /** Whether a visitor comes from a mail with the wish to keep the place, which takes nothing to do. */
  keepsAsVisitor: boolean;
  /** Whether the member lost the place because the address was not confirmed in time. */
  lapsed: boolean;
}

/** What a reader who comes for a place, or to keep one, has to know first. */
const Notices = ({ refusal, keepsAsVisitor, lapsed }: NoticesProps) => (
  <>
    {refusal && <Refusal>{refusal}</Refusal>}
    {keepsAsVisitor && <p role="status">{text.staysForVisitors}</p>}
    {lapsed && (
      <>
        <Refusal>{text.lapsed}</Refusal>
        <p>
          <ConfirmAddress />
        </p>
      </>
    )}
  </>
);

interface OfferProps extends CardProps {
  /** Whether the event is full, so that the offer is a place on its waiting list. */
  waitlist: boolean;
  notices: ReactNode;
  /** The button or the form. It stays the same one when the last place goes, so that nothing typed is lost. */
  children: ReactNode;
}

/** A place, or a place on the waiting list, for a reader who has neither. */
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
  /** The member's place in the line. */
  position: ReturnType<typeof positionOf>;
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
  hint: string;
}

/** The event has begun or is over: links to what its organisers left of it. */
function Ended({ event, heading, hint }: EndedProps) {
  return (
    <Card heading={heading} title={text.ended}>
      <p className={styles.soft}>{hint}</p>
      {(event.content.recap || event.content.resources.length > 0) && (
        <p className={styles.links}>
          {event.content.recap && <a href="#recap">{text.endedRecap}</a>}
          {event.content.resources.length > 0 && <a href="#resources">{text.endedResources}</a>}
        </p>
      )}
    </Card>
  );
}

/** Whether the card warns that few places are left: three of them, or a tenth. */
const isAlmostFull = (left: number, capacity: number | null) => left <= Math.max(3, (capacity ?? 0) / 10);

interface FrameProps {
  heading: 'h2' | 'h3';
  title: string;
  tone?: 'good' | 'warm' | 'bad';
  eyebrow?: ReactNode;
  side?: ReactNode;
  /** Whether it is what a visitor has waited for: then its title takes the focus. */
  arrived?: boolean;
  children: ReactNode;
}

function Card({ heading: Heading, title, tone, eyebrow, side, arrived = false, children }: FrameProps) {
  const titleElement = useRef<HTMLHeadingElement>(null);
  // The effect runs after the frame has given the focus to the heading of the screen, which a new session changes.
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

/** Why there is no place, and what can be done instead. */
const refusalText = ({ code, message }: { code: ErrorCode; message: string }, event: EventPage) =>
  code === 'EVENT_FULL' && event.waitlistEnabled ? registrationText.fullMeanwhile : message;

/** Characters of a payment note that fit beside the card's title. */
const SHORT_NOTE = 40;

/** What it costs, and how one pays. */
function Price({ event }: { event: EventPage }) {
  const formats = useFormats();
  const community = useCommunity();
  const note = isFree(event.price) ? '' : paymentNoteOf(event, community);
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
  /** Whether the member comes from a mail with the wish to keep the place. */
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
      <KeptUntil event={event} />
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
  /** What assistive technology calls it, beginning with the label. */
  name?: string;
}

/** Gives up the place, or the wait for one, after a question. */
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

/** Shows price and action at the lower edge of a phone while those of the card are out of sight. */
export function RegistrationBar({ event, card }: { event: EventPage; card: RefObject<HTMLElement | null> }) {
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
        (user ? (
          <RegisterButton event={event} />
        ) : (
          <Button type="primary" onClick={() => card.current?.querySelector('input')?.focus()}>
            {action === 'login' ? registrationText.register : registrationText.join}
          </Button>
        ))}
    </div>
  );
}

/** Steps in which a card comes into sight. */
const STEPS = Array.from({ length: 21 }, (_, step) => step / 20);
/** Pixels below the card's button. */
const BELOW_ACTION = 72;

/** Whether the lower end of the card, where its button is, can be seen. True in browsers that cannot observe it. */
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
