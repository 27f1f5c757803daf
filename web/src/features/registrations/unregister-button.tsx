import type { Event } from '@meetmark/contracts';
import { registrationText } from '@meetmark/i18n/texts/events';
import { Button } from 'antd';
import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy';
import { hasBegun, useRegistrationState } from '../events/shared/use-registration-state';
import { usePlace } from './registrations.api';

const UnregisterDialog = lazyDialog(() => import('./unregister-dialog'));

interface UnregisterButtonProps {
  event: Event;
  named?: boolean;
}

export function UnregisterButton({ event, named = false }: UnregisterButtonProps) {
  const place = usePlace(event);
  const state = useRegistrationState(event);
  const [asking, setAsking] = useState(false);
  if (!place || state === 'cancelled' || hasBegun(state)) return null;
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
