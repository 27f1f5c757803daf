import type { Event } from '@meetmark/contracts';
import { myEventsText } from '@meetmark/i18n/texts/calendar';
import { commonText } from '@meetmark/i18n/texts/common';
import { dashboardText as text } from '@meetmark/i18n/texts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { EmptyState, ErrorState } from '../../ui/feedback';
import { CalendarIcon } from '../../ui/icons';
import { ArrowIcon, PlusIcon, UserIcon } from '../../ui/more-icons';
import { Badge } from '../../ui/marks';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import { useFormats } from '../../ui/use-formats';
import { useMedia } from '../../ui/use-media';
import { useNow } from '../../ui/use-now';
import { useMember } from '../auth/session';
import { hasEnded } from '../events/shared/event';
import { EventRow, EventRowSkeletons } from '../events/shared/event-row';
import { dashboardEventsQuery } from '../events/shared/events.api';
import { RegisterButton } from '../registrations/register-button';
import { myEventsQuery } from '../registrations/registrations.api';
import styles from './dashboard.module.css';
import { FirstSteps } from './first-steps';
import { lastVisit } from './last-visit';
import { NextEvent } from './next-event';

export default function DashboardScreen() {
  usePageTitle(text.title);
  const { id, firstName } = useMember();
  const [since] = useState(() => lastVisit(id, Date.now()));
  const hasRoomBeside = useMedia(WIDE);
  return (
    <div className={styles.page}>
      <ScreenHeading title={text.welcome({ firstName })} intro={text.intro} />
      <StatCards />
      <div className={styles.first}>
        <QuickActions />
        {hasRoomBeside && <Next />}
      </div>
      <div className={styles.lists}>
        <Shortlist time="notEnded" title={text.upcomingEvents} empty={text.noUpcoming} />
        <Shortlist time="ended" title={text.recentEvents} empty={text.noRecent} />
      </div>
      {!hasRoomBeside && <Next />}
      <MyEvents />
      {since && <NewEvents since={since} />}
    </div>
  );
}

/** Must be the same width as in dashboard.module.css. */
const WIDE = '(min-width: 68em)';

function useOwnEvents() {
  const now = useNow();
  const { data: mine, error, refetch } = useQuery(myEventsQuery);
  const ahead = (mine ?? []).filter((event) => event.status === 'published' && !hasEnded(event, now));
  return { mine, error, refetch, ahead, next: ahead.find(({ waiting }) => !waiting) };
}

function Next() {
  const { mine, error, refetch, next } = useOwnEvents();
  if (error && !mine) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!mine) return <div className={styles.nextPlace} role="status" aria-label={commonText.loading} />;
  return next && <NextEvent key={next.id} event={next} />;
}

function MyEvents() {
  const { mine, ahead, next } = useOwnEvents();
  if (!mine) return null;
  return (
    <>
      <FirstSteps hasEvents={mine.some(({ waiting }) => !waiting)} />
      <OwnEvents title={text.alsoGoing} events={ahead.filter((event) => event !== next && !event.waiting)} />
      <OwnEvents
        title={text.waitingFor}
        events={ahead.filter(({ waiting }) => waiting)}
        badge={myEventsText.waiting}
      />
    </>
  );
}

function QuickActions() {
  return (
    <section aria-labelledby="actions-title" className={styles.section}>
      <h2 id="actions-title">{text.quickActions}</h2>
      <ul className={styles.actions}>
        <QuickAction
          to="/events?create=1"
          icon={<PlusIcon />}
          name={text.createEvent}
          hint={text.createEventHint}
        />
        <QuickAction
          to="/events?view=month"
          icon={<CalendarIcon />}
          name={text.viewCalendar}
          hint={text.viewCalendarHint}
        />
        <QuickAction
          to="/profile"
          icon={<UserIcon />}
          name={text.manageProfile}
          hint={text.manageProfileHint}
        />
      </ul>
    </section>
  );
}

function OwnEvents({ title, events, badge }: { title: string; events: Event[]; badge?: string }) {
  const id = useId();
  if (events.length === 0) return null;
  return (
    <section aria-labelledby={id} className={styles.card}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <Link to="/my-events">{text.myEvents}</Link>
      </div>
      <EventRows
        events={events.slice(0, SHORTLIST)}
        beside={() => badge !== undefined && <Badge tone="warm">{badge}</Badge>}
      />
    </section>
  );
}

function NewEvents({ since }: { since: string }) {
  const { data } = useQuery(
    dashboardEventsQuery({ time: 'notEnded', createdSince: since, limit: SHORTLIST }),
  );
  if (!data || data.items.length === 0) return null;
  return (
    <section aria-labelledby="new-title" className={styles.card}>
      <div className={styles.head}>
        <h2 id="new-title">{text.newEvents}</h2>
      </div>
      <EventRows events={data.items} beside={(event) => <RegisterButton event={event} named />} />
    </section>
  );
}

type ShortlistTime = 'notEnded' | 'ended';

interface ShortlistProps {
  time: ShortlistTime;
  title: string;
  empty: string;
}

function Shortlist({ time, title, empty }: ShortlistProps) {
  const navigate = useNavigate();
  return (
    <section aria-label={title} className={styles.card}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <Button
          type="text"
          aria-label={text.viewAllOf({ list: title })}
          onClick={() => void navigate('/events')}
        >
          {text.viewAll}
        </Button>
      </div>
      <EventShortlist time={time} empty={empty} />
    </section>
  );
}

function StatCards() {
  const formats = useFormats();
  const now = new Date(useNow());
  const upcoming = useQuery(shortlistQuery('notEnded')).data?.total;
  const past = useQuery(shortlistQuery('ended')).data?.total;
  const created = useQuery(createdThisMonthQuery(now)).data?.total;
  const thisMonth = useQuery(eventsThisMonthQuery(now)).data?.total;
  const total = upcoming === undefined || past === undefined ? undefined : upcoming + past;
  return (
    <ul className={styles.stats}>
      <Stat
        name={text.totalEvents}
        value={total}
        caption={created === undefined ? '\u00a0' : text.createdThisMonth({ count: created })}
      />
      <Stat name={text.upcomingEvents} value={upcoming} caption={text.upcomingCaption} />
      <Stat
        name={text.thisMonth}
        value={thisMonth}
        caption={text.thisMonthCaption({ month: formats.monthTitle(now) })}
      />
    </ul>
  );
}

function Stat({ name, value, caption }: { name: string; value: number | undefined; caption: string }) {
  return (
    <li className={styles.stat}>
      <p className={styles.statName}>{name}</p>
      <p className={styles.statValue}>{value ?? text.unknown}</p>
      <p className={styles.statCaption}>{caption}</p>
    </li>
  );
}

interface QuickActionProps {
  to: string;
  icon: ReactNode;
  name: string;
  hint: string;
}

function QuickAction({ to, icon, name, hint }: QuickActionProps) {
  return (
    <li>
      <Link to={to} className={styles.action}>
        <span className={styles.actionIcon}>{icon}</span>
        <span>
          <strong>{name}</strong>
          <span className={styles.actionHint}>{hint}</span>
        </span>
        <span className={styles.arrow}>
          <ArrowIcon />
        </span>
      </Link>
    </li>
  );
}

function EventShortlist({ time, empty }: Pick<ShortlistProps, 'time' | 'empty'>) {
  const { data: page, error, refetch } = useQuery(shortlistQuery(time));
  if (error && !page) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!page) return <EventRowSkeletons count={SHORTLIST} />;
  if (page.items.length === 0) return <EmptyState title={empty} />;
  return (
    <EventRows
      events={page.items}
      beside={() => time === 'ended' && <Badge tone="quiet">{text.completed}</Badge>}
    />
  );
}

const EventRows = ({ events, beside }: { events: Event[]; beside: (event: Event) => ReactNode }) => (
  <ul className={styles.rows}>
    {events.map((event) => (
      <li key={event.id}>
        <EventRow event={event}>{beside(event)}</EventRow>
      </li>
    ))}
  </ul>
);

const SHORTLIST = 3;

const shortlistQuery = (time: ShortlistTime) => dashboardEventsQuery({ time, limit: SHORTLIST });

const monthStart = (now: Date, offset = 0) =>
  new Date(now.getFullYear(), now.getMonth() + offset, 1).toISOString();

// asks for one event, because only the total is needed
const createdThisMonthQuery = (now: Date) =>
  dashboardEventsQuery({ createdSince: monthStart(now), limit: 1 });

const eventsThisMonthQuery = (now: Date) =>
  dashboardEventsQuery({ from: monthStart(now), until: monthStart(now, 1), limit: 1 });
