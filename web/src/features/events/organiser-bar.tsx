import type { Event } from '@meetmark/contracts';
import { Button } from 'antd';
import { useState } from 'react';
import { eventLifeText as text } from '../../strings/event-life';
import { lazyDialog } from '../../ui/lazy';
import { LinkButton } from '../../ui/link-button';
import { EventMenu, PublishDialog } from './event-menu';
import styles from './event-menu.module.css';

const EventFormDialog = lazyDialog(() => import('./event-form/event-form'));

type Open = 'edit' | 'duplicate' | 'publish' | null;

/** What an administrator can do on the page of an event. */
export default function OrganiserBar({ event }: { event: Event }) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <div className={styles.toolbar} role="group" aria-label={text.toolbar}>
      <LinkButton to={`/admin/events/${event.id}`}>{text.manage}</LinkButton>
      {event.status === 'draft' && (
        <Button type="primary" onClick={() => setOpen('publish')}>
          {text.publish}
        </Button>
      )}
      {event.status !== 'cancelled' && <Button onClick={() => setOpen('edit')}>{text.edit}</Button>}
      <EventMenu event={event} onDuplicate={() => setOpen('duplicate')} />
      {open === 'edit' && <EventFormDialog event={event} close={close} />}
      {open === 'duplicate' && <EventFormDialog template={event} close={close} />}
      {open === 'publish' && <PublishDialog event={event} close={close} />}
    </div>
  );
}
