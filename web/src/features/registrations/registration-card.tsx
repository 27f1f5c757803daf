import type { User } from '@meetmark/contracts';
import { Button } from 'antd';
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { cardText as text } from '../../strings/event-page';
import { eventText, registrationText } from '../../strings/events';
import { CheckIcon, ClockIcon } from '../../ui/icons';
import { lazyDialog } from '../../ui/lazy';
import { isFree } from '../../ui/price';
import { useFormats } from '../../ui/use-formats';
import { useSession } from '../auth/session';
import { AddToCalendar } from '../events/add-to-calendar';
import type { EventPage } from '../events/event-page';
import { ShareButton } from '../events/share-button';
import { useRegistrationState } from '../events/use-registration-state';
import { RegisterButton } from './register-button';
import { registrationAction } from './registration-action';
import styles from './registration-card.module.css';
import { usePlace } from './registrations.api';

const UnregisterDialog = lazyDialog(() => import('./unregister-dialog'));

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

function State({ event, count, heading }: CardProps) {
  const { user } = useSession();
  const place = usePlace(event);
  const state = useRegistrationState(event);
  const formats = useFormats();
  const action = registrationAction(state, { signedIn: user !== null, place });
  const left = event.capacity === null ? null : Math.max(0, event.capacity - count);
  switch (action) {
    case 'register':
    case 'login':
      return (
        <Card
          heading={heading}
          title={left === null ? text.reserve : text.left(left)}
          tone={left !== null && isAlmostFull(left, event.capacity) ? 'warm' : undefined}
          side={<Price event={event} />}
        >
          <p className={styles.soft}>
            {event.capacity === null
              ? count === 0
                ? eventText.noneGoing
                : eventText.going(count)
              : eventText.places(count, event.capacity)}
          </p>
          <RegisterButton event={event} size="large" />
        </Card>
      );
    case 'join':
    case 'joinAfterLogin':
      return (
        <Card heading={heading} title={text.full} tone="warm" side={<Price event={event} />}>
          <p className={styles.soft}>
            {text.fullHint}
            {event.waitingCount > 0 && ` ${registrationText.othersWaiting(event.waitingCount)}.`}
          </p>
          <RegisterButton event={event} size="large" />
        </Card>
      );
    case 'registered':
      return <Registered event={event} user={user!} heading={heading} />;
    case 'waiting':
      return (
        <Card
          heading={heading}
          tone="warm"
          eyebrow={
            <>
              <ClockIcon size={18} /> {registrationText.join}
            </>
          }
          title={text.waitingTitle(place === 'registered' || place === null ? undefined : place.position)}
          side={<Price event={event} />}
        >
          <p className={styles.soft}>{registrationText.waitingHint}</p>
          <GiveUp event={event} waiting label={registrationText.leave} />
        </Card>
      );
    case 'scheduled':
      return (
        <Card
          heading={heading}
          title={text.opens(formats.dateTime(event.registrationOpensAt ?? event.startDate))}
          side={<Price event={event} />}
        >
          <p className={styles.soft}>{text.opensHint}</p>
        </Card>
      );
    case 'closed':
      return (
        <Card heading={heading} title={text.closed}>
          <p className={styles.soft}>{text.closedHint}</p>
        </Card>
      );
    case 'full':
      return (
        <Card heading={heading} tone="warm" title={registrationText.full}>
          <p className={styles.soft}>
            {text.full}. {text.noList}
          </p>
        </Card>
      );
    case 'cancelled':
      return (
        <Card heading={heading} tone="bad" title={text.cancelledTitle}>
          <p className={styles.lines} dir="auto">
            {event.cancelReason ? text.reason(event.cancelReason) : text.cancelledHint}
          </p>
        </Card>
      );
    case 'ended':
      return (
        <Card heading={heading} title={text.ended}>
          <p className={styles.soft}>{state === 'started' ? text.startedHint : text.endedHint}</p>
          {(event.content?.recap || (event.content?.resources.length ?? 0) > 0) && (
            <p className={styles.links}>
              {event.content?.recap && <a href="#recap">{text.endedRecap}</a>}
              {event.content!.resources.length > 0 && <a href="#resources">{text.endedResources}</a>}
            </p>
          )}
        </Card>
      );
  }
}

/** When it becomes worth saying: three places, or a tenth of them. */
const isAlmostFull = (left: number, capacity: number | null) => left <= Math.max(3, (capacity ?? 0) / 10);

interface FrameProps {
  heading: 'h2' | 'h3';
  title: string;
  tone?: 'good' | 'warm' | 'bad';
  eyebrow?: ReactNode;
  side?: ReactNode;
  children: ReactNode;
}

const Card = ({ heading: Heading, title, tone, eyebrow, side, children }: FrameProps) => (
  <div className={styles.card} data-tone={tone}>
    {eyebrow && <p className={styles.eyebrow}>{eyebrow}</p>}
    <div className={styles.top}>
      <Heading className={styles.title}>{title}</Heading>
      {side}
    </div>
    {children}
  </div>
);

/** What it costs, and how one pays. */
function Price({ event }: { event: EventPage }) {
  const formats = useFormats();
  return (
    <p className={styles.price}>
      <strong>{formats.price(event.price)}</strong>
      {!isFree(event.price) && event.paymentNote && <span dir="auto">{event.paymentNote}</span>}
    </p>
  );
}

function Registered({ event, user, heading }: { event: EventPage; user: User; heading: 'h2' | 'h3' }) {
  return (
    <Card
      heading={heading}
      tone="good"
      eyebrow={
        <>
          <CheckIcon size={18} /> {text.registered}
        </>
      }
      title={text.youAreIn(user.firstName)}
      side={isFree(event.price) ? undefined : <Price event={event} />}
    >
      <p className={styles.soft}>
        {user.emailVerifiedAt === null ? text.sentLater : text.sentTo(user.email)}
      </p>
      <div className={styles.actions}>
        <AddToCalendar event={event} />
        <ShareButton event={event} />
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

/** On a phone: price and action at the lower edge, while those of the card are out of sight. */
export function RegistrationBar({ event, card }: { event: EventPage; card: RefObject<HTMLElement | null> }) {
  const { user } = useSession();
  const place = usePlace(event);
  const action = registrationAction(useRegistrationState(event), { signedIn: user !== null, place });
  const offered =
    action === 'register' || action === 'join' || action === 'login' || action === 'joinAfterLogin';
  const hidden = useInView(card) || !offered;
  return (
    <div className={styles.bar} data-hidden={hidden || undefined} inert={hidden}>
      <Price event={event} />
      {offered && <RegisterButton event={event} />}
    </div>
  );
}

/** Whether the card's button can be seen. True where nobody can tell. */
function useInView(element: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(true);
  const observer = useRef<IntersectionObserver>(null);
  useEffect(() => {
    if (!('IntersectionObserver' in window) || !element.current) return undefined;
    observer.current = new IntersectionObserver((entries) => setInView(entries.at(-1)!.isIntersecting), {
      threshold: 0.6,
    });
    observer.current.observe(element.current);
    return () => observer.current?.disconnect();
  }, [element]);
  return inView;
}
