import type { Event } from '@meetmark/contracts';
import { commonText } from '@meetmark/i18n/texts/common';
import { registrationText } from '@meetmark/i18n/texts/events';
import { Button } from 'antd';
import { useState } from 'react';
import { hasCode, isUnauthorized } from '../../api/client';
import { ActionButton, useOnce } from '../../ui/action-button';
import { CheckIcon, ClockIcon } from '../../ui/icons';
import { lazyDialog } from '../../ui/lazy';
import { useToasts } from '../../ui/toasts';
import { useFormats } from '../../ui/use-formats';
import { useLoggedOutRedirect, useSession } from '../auth/session';
import { goToLogin } from '../auth/return-to';
import { useRegistrationState } from '../events/shared/use-registration-state';
import { registrationAction, registrationFailure } from './registration-action';
import { getPosition, usePlace, useRegister } from './registrations.api';

const RegisterDialog = lazyDialog(() => import('./register-dialog'));

interface RegisterButtonProps {
  event: Event;
  size?: 'middle' | 'large';
  named?: boolean;
  browse?: boolean;
}

export function RegisterButton({ event, size = 'middle', named = false, browse }: RegisterButtonProps) {
  const { user } = useSession();
  const place = usePlace(event);
  const state = useRegistrationState(event);
  const formats = useFormats();
  const toasts = useToasts();
  const leaveForLogin = useLoggedOutRedirect();
  const [asking, setAsking] = useState(false);
  // shows the toast from the mutation, because the button may be gone when the response arrives
  const registration = useRegister(event, {
    onRegistered: ({ created, waiting }) =>
      toasts.success(
        commonText.success,
        registrationText.outcomes[waiting ? 'waiting' : 'registered'][created ? 'now' : 'before'],
      ),
    onRefused: (error) => {
      if (isUnauthorized(error)) return leaveForLogin();
      // the server expects answers to questions that this page hasn't loaded
      if (hasCode(error, 'VALIDATION_FAILED')) return setAsking(true);
      return toasts.error(registrationText.failedTitle, registrationFailure(error, event));
    },
  });
  const registerOnce = useOnce(registration);

  const action = registrationAction(state, { signedIn: user !== null, place });
  const getLabelProps = (label: string) => ({
    'aria-label': named ? registrationText.of({ label, title: event.title }) : undefined,
    children: label,
  });
  switch (action) {
    case 'login':
    case 'joinAfterLogin':
      return (
        <Button
          type="primary"
          size={size}
          onClick={() => goToLogin()}
          {...getLabelProps(action === 'login' ? registrationText.login : registrationText.join)}
        />
      );
    case 'register':
    case 'join': {
      const [label, underway] =
        action === 'join'
          ? [registrationText.join, registrationText.joining]
          : [registrationText.register, registrationText.registering];
      const words = registration.isPending ? underway : label;
      const waitlist = action === 'join';
      return (
        <>
          <ActionButton
            type="primary"
            size={size}
            inactive={registration.isPending}
            onClick={() => (event.hasQuestions ? setAsking(true) : registerOnce({ waitlist }))}
            {...getLabelProps(words)}
          />
          {asking && (
            <RegisterDialog
              event={event}
              label={words}
              inactive={registration.isPending}
              register={(answers, outcome) => registerOnce({ waitlist, answers }, outcome)}
              close={() => setAsking(false)}
            />
          )}
        </>
      );
    }
    case 'waiting':
      return (
        <ActionButton
          inactive
          size={size}
          icon={<ClockIcon size={18} />}
          {...getLabelProps(registrationText.number({ position: getPosition(place) }))}
        />
      );
    case 'scheduled': {
      const moment = formats.eventMoment(event, event.registrationOpensAt ?? event.startDate);
      return <ActionButton inactive size={size} {...getLabelProps(registrationText.opens({ moment }))} />;
    }
    default:
      return (
        <ActionButton
          inactive
          size={size}
          icon={action === 'registered' ? <CheckIcon size={18} /> : undefined}
          {...getLabelProps(registrationText[state === 'started' && !browse ? 'closed' : action])}
        />
      );
  }
}
