import { Button } from 'antd';
import { calendarText as text } from '../../../strings/events';
import { Choice, optionsOf } from '../../../ui/choice';
import { CalendarIcon, PlusIcon } from '../../../ui/icons';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { useFormats } from '../../../ui/use-formats';
import { useSession } from '../../auth/session';
import { Agenda } from './agenda';
import styles from './calendar-screen.module.css';
import { type CalendarView, useCalendarView } from './calendar-view';
import { CreateEvent, useCreateParameter } from './create-event';
import { MonthCalendar } from './month-calendar';

const VIEWS = optionsOf<CalendarView>({ month: text.month, agenda: text.agenda });

/** All events as a month and as a list (D7). */
export default function CalendarScreen() {
  usePageTitle(text.title);
  const { user } = useSession();
  const formats = useFormats();
  const [view, chooseView] = useCalendarView();
  const creating = useCreateParameter();
  const zone = formats.viewerZone();
  return (
    <>
      <ScreenHeading title={text.title} intro={text.intro}>
        <Choice label={text.view} options={VIEWS} value={view} change={chooseView} />
        {user?.isAdmin && (
          <Button type="primary" icon={<PlusIcon size={18} />} onClick={creating.start}>
            {text.createEvent}
          </Button>
        )}
      </ScreenHeading>
      {creating.wanted && <CreateEvent close={creating.stop} />}
      {view === 'month' ? <MonthCalendar /> : <Agenda />}
      <footer className={styles.footer}>
        <Button
          icon={<CalendarIcon size={18} />}
          href={`webcal://${window.location.host}/api/events/calendar.ics`}
        >
          {text.subscribe}
        </Button>
        {zone && <p>{text.zone(zone)}</p>}
      </footer>
    </>
  );
}
