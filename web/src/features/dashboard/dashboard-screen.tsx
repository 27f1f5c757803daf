import { Button } from 'antd';
import { useNavigate } from 'react-router-dom';
import { dashboardText as text } from '../../strings/dashboard';
import { CalendarIcon, PlusIcon, UserIcon } from '../../ui/icons';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import { useMember } from '../auth/session';
import styles from './dashboard.module.css';
import { EventShortlist } from './event-shortlist';
import { QuickAction } from './quick-action';
import { StatCards } from './stat-cards';

export default function DashboardScreen() {
  usePageTitle(text.title);
  const { firstName } = useMember();
  return (
    <div className={styles.page}>
      <ScreenHeading title={text.welcome(firstName)} intro={text.intro} />
      <StatCards />
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
      <div className={styles.lists}>
        <Shortlist time="upcoming" title={text.upcomingEvents} empty={text.noUpcoming} />
        <Shortlist time="past" title={text.recentEvents} empty={text.noRecent} />
      </div>
    </div>
  );
}

interface ShortlistProps {
  time: 'upcoming' | 'past';
  title: string;
  empty: string;
}

function Shortlist({ time, title, empty }: ShortlistProps) {
  const navigate = useNavigate();
  return (
    <section aria-label={title} className={styles.card}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <Button type="text" aria-label={text.viewAllOf(title)} onClick={() => void navigate('/events')}>
          {text.viewAll}
        </Button>
      </div>
      <EventShortlist time={time} empty={empty} />
    </section>
  );
}
