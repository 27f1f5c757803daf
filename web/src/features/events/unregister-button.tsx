import type { Event } from '@meetmark/contracts';
import { Button } from 'antd';
import { useState } from 'react';
import { registrationText } from '../../strings/events';
import { late } from '../../ui/late';
import { useNow } from '../../ui/use-now';
import { useSession } from '../auth/session';
import { hasStarted } from './event-status';
import { useIsRegistered } from './registrations.api';

const UnregisterDialog = late(() => import('./unregister-dialog'));

/** Gives up the member's place, after asking; nothing for those who have none, or once the event has started (D23). */
export function UnregisterButton({ event, size }: { event: Event; size?: 'large' }) {
  const { user } = useSession();
  const isRegistered = useIsRegistered();
  const now = useNow();
  const [asking, setAsking] = useState(false);
  if (!user || !isRegistered(event.id) || hasStarted(event, now)) return null;
  return (
    <>
      <Button size={size} onClick={() => setAsking(true)}>
        {registrationText.unregister}
      </Button>
      {asking && <UnregisterDialog event={event} close={() => setAsking(false)} />}
    </>
  );
}
