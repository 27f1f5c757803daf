import type { Event } from '@meetmark/contracts';
import { Button } from 'antd';
import { useState } from 'react';
import { registrationText } from '../../strings/events';
import { lazyDialog } from '../../ui/lazy';
import { useNow } from '../../ui/use-now';
import { useSession } from '../auth/session';
import { hasStarted } from '../events/event';
import { useIsRegistered } from './registrations.api';

const UnregisterDialog = lazyDialog(() => import('./unregister-dialog'));

interface UnregisterButtonProps {
  event: Event;
  size?: 'large';
  /** Whether it is one of many: its accessible name then includes the event. */
  named?: boolean;
}

/** Gives up the member's place after a question; shows nothing without a place or once the event has started. */
export function UnregisterButton({ event, size, named = false }: UnregisterButtonProps) {
  const { user } = useSession();
  const isRegistered = useIsRegistered();
  const now = useNow();
  const [asking, setAsking] = useState(false);
  if (!user || !isRegistered(event.id) || hasStarted(event, now)) return null;
  return (
    <>
      <Button
        size={size}
        aria-label={named ? registrationText.of(registrationText.unregister, event.title) : undefined}
        onClick={() => setAsking(true)}
      >
        {registrationText.unregister}
      </Button>
      {asking && <UnregisterDialog event={event} close={() => setAsking(false)} />}
    </>
  );
}
