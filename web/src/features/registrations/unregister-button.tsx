import type { Event } from '@meetmark/contracts';
import { registrationText } from '@meetmark/contracts/texts/events';
import { Button } from 'antd';
import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy';
import { isOver, useRegistrationState } from '../events/shared/use-registration-state';
import { usePlace } from './registrations.api';

const UnregisterDialog = lazyDialog(() => import('./unregister-dialog'));

interface UnregisterButtonProps {
  event: Event;
  /** Whether it is one of many: its accessible name then includes the event. */
  named?: boolean;
}

/** Gives up the member's place, or the one on the waiting list, after a question; nothing without one or once the event is over. */
export function UnregisterButton({ event, named = false }: UnregisterButtonProps) {
  const place = usePlace(event);
  const state = useRegistrationState(event);
  const [asking, setAsking] = useState(false);
  if (!place || state === 'cancelled' || isOver(state)) return null;
  const label = place === 'registered' ? registrationText.unregister : registrationText.leave;
  return (
    <>
      <Button
        aria-label={named ? registrationText.of({ label, title: event.title }) : undefined}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      {asking && (
        <UnregisterDialog event={event} waiting={place !== 'registered'} close={() => setAsking(false)} />
      )}
    </>
  );
}
