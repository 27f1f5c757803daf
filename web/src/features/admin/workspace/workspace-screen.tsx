import type { EventPage } from '@meetmark/contracts';
import type { WorkspaceTab } from '@meetmark/contracts/pages';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { eventLifeText } from '@meetmark/i18n/texts/event-life';
import { eventText } from '@meetmark/i18n/texts/events';
import { workspaceText as text } from '@meetmark/i18n/texts/workspace';
import { Button } from 'antd';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { EmptyState } from '../../../ui/feedback';
import { ChevronLeftIcon } from '../../../ui/icons';
import { lazyComponent, lazyDialog, ScreenUnavailable } from '../../../ui/lazy';
import { LinkButton } from '../../../ui/link-button';
import { PageTabs } from '../../../ui/page-tabs';
import { usePageTitle } from '../../../ui/screen-heading';
import { useFormats } from '../../../ui/use-formats';
import { useQueryChange } from '../../../ui/use-query-change';
import { useMember } from '../../auth/session';
import { formatLocation } from '../../events/shared/event';
import { EventBanner } from '../../events/shared/event-banner';
import { EventLoader } from '../../events/shared/event-loader';
import { EventMenu } from '../../events/event-menu';
import { ShareButton } from '../../events/shared/share-button';
import { DeleteEventDialog } from '../events/delete-event-dialog';
import { StatusBadges } from '../events/events-table';
import { Messages } from '../messages/messages';
import { Guests } from './guests';
import { Overview } from './overview';
import { Settings } from './settings';
import styles from './workspace.module.css';

const EventFormDialog = lazyDialog(() => import('../../events/event-form/event-form'));

const Door = lazyComponent<{ event: EventPage }>(() => import('./door'), {
  Failed: ScreenUnavailable,
  waiting: null,
});

const TABS: Record<'overview' | WorkspaceTab, ComponentType<{ event: EventPage }>> = {
  overview: Overview,
  guests: Guests,
  messages: Messages,
  door: Door,
  settings: Settings,
};
type Tab = keyof typeof TABS;

export function WorkspaceScreen({ eventId }: { eventId: string }) {
  const { tab = '' } = useParams();
  const { isAdmin } = useMember();
  const shown = tab in TABS ? (tab as Tab) : 'overview';
  const Part = TABS[shown];
  return (
    <EventLoader key={eventId} eventId={eventId} page>
      {(event) =>
        isAdmin || event.mayManage ? (
          <Frame event={event} tab={shown}>
            <Part event={event} />
          </Frame>
        ) : (
          <NotManaged event={event} />
        )
      }
    </EventLoader>
  );
}

function NotManaged({ event }: { event: EventPage }) {
  usePageTitle(event.title);
  return (
    <EmptyState heading="h1" title={text.notManaged} hint={text.notManagedHint}>
      <Link to={eventPath(event)}>{event.title}</Link>
    </EmptyState>
  );
}

function Frame({ event, tab, children }: { event: EventPage; tab: Tab; children: ReactNode }) {
  usePageTitle(tab === 'overview' ? event.title : `${text.tabs[tab]} · ${event.title}`);
  const { days, hours, beside } = useFormats().eventWhen(event);
  const [search] = useSearchParams();
  const changeQuery = useQueryChange();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'duplicate' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const address = `/admin/events/${event.id}`;
  return (
    <>
      <Link to="/admin/events" className={styles.back}>
        <ChevronLeftIcon size={18} /> {text.allEvents}
      </Link>
      <header className={styles.header}>
        <div className={styles.cover}>
          <EventBanner event={event} />
        </div>
        <div className={styles.words}>
          <h1 dir="auto">{event.title}</h1>
          <p>
            {[days, beside ? `${hours} (${beside.hours})` : hours, formatLocation(event) ?? text.notOnMap]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <StatusBadges event={event} underWay={eventText.happeningNow} />
        </div>
        <div className={styles.actions}>
          {event.status === 'published' && <ShareButton event={event} />}
          <LinkButton to={eventPath(event)}>{text.preview}</LinkButton>
          {event.status !== 'cancelled' && (
            <Button type="primary" onClick={() => changeQuery((query) => query.set('edit', '1'))}>
              {eventLifeText.edit}
            </Button>
          )}
          <EventMenu
            event={event}
            onDuplicate={() => setOpen('duplicate')}
            onDelete={() => setOpen('delete')}
          />
        </div>
      </header>
      <PageTabs
        label={text.parts}
        tabs={(Object.keys(TABS) as Tab[]).map((key) => ({
          to: key === 'overview' ? address : `${address}/${key}`,
          label: text.tabs[key],
        }))}
      />
      {children}
      {search.has('edit') && event.status !== 'cancelled' && (
        <EventFormDialog
          event={event}
          close={() => void changeQuery((query) => query.delete('edit'), { replace: true })}
        />
      )}
      {open === 'duplicate' && <EventFormDialog template={event} close={close} />}
      {open === 'delete' && (
        <DeleteEventDialog event={event} deleted={() => void navigate('/admin/events')} close={close} />
      )}
    </>
  );
}
