import type { EventPage, PlaceOutcome, User } from '@meetmark/contracts';
import { takeOverText as text } from '@meetmark/i18n/texts/place';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { errorCode } from '../../api/client';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Refusal } from '../../ui/feedback';
import { useSession } from '../auth/session';
import { registrationFailure } from './registration-action';
import styles from './registration-card.module.css';
import { useRegister } from './registrations.api';
import { RsvpForm } from './rsvp-form';

interface TakeOverProps {
  event: EventPage;
  confirmed: (outcome: PlaceOutcome | undefined) => void;
  close: () => void;
}

/** The form reveals whether a registration is held only once the email address is verified. */
export default function TakeOver({ event, confirmed, close }: TakeOverProps) {
  const { user } = useSession();
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    whole.current?.closest('section')?.scrollIntoView({ block: 'nearest' });
  }, []);
  const told = (outcome: PlaceOutcome | undefined) =>
    confirmed(
      outcome?.refusal
        ? { ...outcome, refusal: { code: 'GUEST_NOT_FOUND', message: text.noneHeldHere } }
        : outcome,
    );
  return (
    <div ref={whole} className={styles.form}>
      <p className={styles.soft}>{text.hint}</p>
      {user ? (
        <OfMember event={event} user={user} taken={() => confirmed(undefined)} />
      ) : (
        <RsvpForm event={event} waitlist={false} takeOver={text.act} confirmed={told} />
      )}
      <Button type="link" className={styles.link} onClick={close}>
        {text.other}
      </Button>
    </div>
  );
}

/** Error codes which mean that no registration is held for the member's email address. */
const NONE_HELD = ['EVENT_FULL', 'REGISTRATION_ENDED', 'REGISTRATION_CLOSED', 'REGISTRATION_NOT_OPEN'];

function OfMember({ event, user, taken }: { event: EventPage; user: User; taken: () => void }) {
  const [refused, setRefused] = useState<string | null>(null);
  const registration = useRegister(event, {
    onRegistered: taken,
    onRefused: (error) =>
      setRefused(
        NONE_HELD.includes(errorCode(error) ?? '')
          ? text.noneHeld({ email: user.email })
          : registrationFailure(error, event),
      ),
  });
  const registerOnce = useOnce(registration);
  return (
    <>
      {refused && <Refusal>{refused}</Refusal>}
      <ActionButton
        type="primary"
        size="large"
        block
        inactive={registration.isPending}
        onClick={() => registerOnce({ waitlist: false })}
      >
        {registration.isPending ? text.taking : text.act}
      </ActionButton>
    </>
  );
}
