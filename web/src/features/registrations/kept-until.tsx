import type { Event } from '@meetmark/contracts';
import { verificationText } from '@meetmark/contracts/texts/codes';
import { cardText as text } from '@meetmark/contracts/texts/event-page';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy';
import { useFormats } from '../../ui/use-formats';
import { useSession } from '../auth/session';
import styles from './registration-card.module.css';
import { myEventsQuery } from './registrations.api';

const VerificationDialog = lazyDialog(() => import('../auth/verification-dialog'));

/** Says until when a place is kept whose member has not confirmed their address; nothing where the place is kept for good. */
export function KeptUntil({ event, named = false }: { event: Event; named?: boolean }) {
  const formats = useFormats();
  const { data: mine } = useQuery(myEventsQuery);
  const { registrations } = mine?.find(({ id }) => id === event.id) ?? event;
  const lapsesAt = registrations[0]?.lapsesAt;
  if (lapsesAt === undefined) return null;
  return (
    <p className={styles.kept}>
      <span>{text.keptUntil({ moment: formats.dateTime(lapsesAt) })}</span>{' '}
      <ConfirmAddress of={named ? event.title : null} />
    </p>
  );
}

/** Takes the code that was mailed, or asks for another one; nothing once the address is confirmed. */
export function ConfirmAddress({ of = null }: { of?: string | null }) {
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  if (user === null || user.emailVerifiedAt !== null) return null;
  const label = verificationText.confirm;
  return (
    <>
      <Button aria-label={of === null ? undefined : `${label}: ${of}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && <VerificationDialog email={user.email} close={() => setOpen(false)} />}
    </>
  );
}
