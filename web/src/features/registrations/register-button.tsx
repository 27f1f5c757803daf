import type { Event } from '@meetmark/contracts';
import { Button } from 'antd';
import { isUnauthorized } from '../../api/client';
import { commonText } from '../../strings/common';
import { registrationText } from '../../strings/events';
import { ActionButton, useOnce } from '../../ui/action-button';
import { CheckIcon } from '../../ui/icons';
import { useToasts } from '../../ui/toasts';
import { useNow } from '../../ui/use-now';
import { useLoggedOutRedirect, useSession } from '../auth/session';
import { goToLogin } from '../auth/return-to';
import { registrationAction, registrationFailure } from './registration-action';
import { useIsRegistered, useRegister } from './registrations.api';

interface RegisterButtonProps {
  event: Event;
  size?: 'middle' | 'large';
  /** Whether it is one of many: its accessible name then includes the event. */
  named?: boolean;
}

/** The one action of an event. */
export function RegisterButton({ event, size = 'middle', named = false }: RegisterButtonProps) {
  const { user } = useSession();
  const isRegistered = useIsRegistered();
  const toasts = useToasts();
  const leaveForLogin = useLoggedOutRedirect();
  // the mutation shows the toast, not the button: a search that goes on, or another screen, may have taken the button away by then
  const registration = useRegister(event, {
    onRegistered: (created) =>
      toasts.success(commonText.success, created ? registrationText.succeeded : registrationText.already),
    onRefused: (error) =>
      isUnauthorized(error)
        ? leaveForLogin()
        : toasts.error(registrationText.failedTitle, registrationFailure(error)),
  });
  const registerOnce = useOnce(registration);

  const action = registrationAction(event, {
    signedIn: user !== null,
    registered: isRegistered(event.id),
    now: useNow(),
  });
  const nameOf = (label: string) => ({
    'aria-label': named ? registrationText.of(label, event.title) : undefined,
    children: label,
  });
  if (action === 'login')
    return (
      <Button type="primary" size={size} onClick={() => goToLogin()} {...nameOf(registrationText.login)} />
    );
  if (action !== 'register')
    return (
      <ActionButton
        inactive
        size={size}
        icon={action === 'registered' ? <CheckIcon size={18} /> : undefined}
        {...nameOf(registrationText[action])}
      />
    );
  return (
    <ActionButton
      type="primary"
      size={size}
      inactive={registration.isPending}
      onClick={() => registerOnce()}
      {...nameOf(registration.isPending ? registrationText.registering : registrationText.register)}
    />
  );
}
