import { calendarText as text } from '@meetmark/i18n/texts/calendar';
import { proposalsText } from '@meetmark/i18n/texts/proposals';
import { topicsText } from '@meetmark/i18n/texts/topics';
import { Button } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { Choice, toOptions } from '../../ui/choice';
import { CalendarIcon } from '../../ui/icons';
import { PlusIcon } from '../../ui/more-icons';
import { lazyDialog } from '../../ui/lazy';
import { LinkButton } from '../../ui/link-button';
import { persist, readPersisted } from '../../ui/persisted-state';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import { useFormats } from '../../ui/use-formats';
import { useQueryChange } from '../../ui/use-query-change';
import { mayOrganise, useSession } from '../auth/session';
import { Agenda } from './agenda';
import styles from './calendar-screen.module.css';
import { MonthCalendar } from './month-calendar';

const VIEWS = toOptions<CalendarView>({ month: text.month, agenda: text.agenda });

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
        {user && mayOrganise(user) && (
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
        <Button href="/feeds/events.rss">{topicsText.rss}</Button>
        {zone && <p>{text.zone({ zone })}</p>}
      </footer>
    </>
  );
}

const EventFormDialog = lazyDialog(() => import('../events/event-form/event-form'));

/** Reads and sets `?create=1`, which opens the form for a new event. */
function useCreateParameter() {
  const [search] = useSearchParams();
  const changeQuery = useQueryChange();
  const set = (wanted: boolean) =>
    changeQuery((query) => (wanted ? query.set('create', '1') : query.delete('create')), { replace: true });
  return { wanted: search.has('create'), start: () => set(true), stop: () => set(false) };
}

function CreateEvent({ close }: { close: () => void }) {
  const { user } = useSession();
  const { memberProposals, supportEmail } = useCommunity();
  if (user && mayOrganise(user)) return <EventFormDialog close={close} />;
  return (
    <div className={styles.note} role="note">
      <p>{text.onlyOrganisers}</p>
      {user && memberProposals ? (
        <LinkButton to="/proposals?propose=1">{proposalsText.propose}</LinkButton>
      ) : (
        <a href={`mailto:${supportEmail}`}>{text.emailOrganisers}</a>
      )}
    </div>
  );
}

type CalendarView = 'month' | 'agenda';

const REMEMBERED = 'events-view';

const isView = (text: string | null): text is CalendarView => text === 'month' || text === 'agenda';

function useCalendarView(): [CalendarView, (view: CalendarView) => void] {
  const [search] = useSearchParams();
  const changeQuery = useQueryChange();
  const [view, setView] = useState(() => {
    const asked = search.get('view');
    const remembered = readPersisted(REMEMBERED);
    return isView(asked) ? asked : isView(remembered) ? remembered : 'month';
  });
  const choose = (next: CalendarView) => {
    setView(next);
    persist(REMEMBERED, next);
    changeQuery((query) => query.set('view', next), { replace: true });
  };
  return [view, choose];
}
