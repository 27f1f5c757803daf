import type { Door as DoorOfEvent, DoorLink, EventPage, NewDoorLink } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { doorTabText as text } from '@meetmark/i18n/texts/workspace';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { hasCode } from '../../../api/client';
import { useCommunity } from '../../../api/community';
import { ActionButton, CopyButton, useOnce } from '../../../ui/action-button';
import { CardSkeleton, ErrorState, Refusal } from '../../../ui/feedback';
import { Field } from '../../../ui/field';
import { QrCode } from '../../../ui/qr-code';
import { useToasts } from '../../../ui/toasts';
import { useFormats } from '../../../ui/use-formats';
import { useNow } from '../../../ui/use-now';
import { useFailure } from '../../auth/session';
import { HelpButton } from '../../help/help-button';
import { Panel } from '../dashboard/panel';
import { ConfirmDialog } from '../shared/confirm-dialog';
import { doorQuery, useMakeDoorLink, useRevokeDoorLink } from './workspace.api';
import styles from './workspace.module.css';

export default function Door({ event }: { event: EventPage }) {
  const { count } = useFormats();
  const { data: door, error, refetch } = useQuery(doorQuery(event.id));
  if (!door) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <CardSkeleton />;
  return (
    <>
      <dl className={styles.figures}>
        <div className={styles.figure}>
          <dt>{text.checkedIn}</dt>
          <dd>
            <strong>{count(door.counts.checkedIn)}</strong>{' '}
            {text.of({ registered: count(door.counts.registered) })}
          </dd>
        </div>
      </dl>
      <div className={styles.columns}>
        <div className={styles.settings}>
          <Links event={event} links={door.links} />
          {door.refusals.length > 0 && <Refusals event={event} refusals={door.refusals} />}
        </div>
        <div className={styles.settings}>
          {event.status === 'published' && <SelfCheckIn event={event} venueCode={door.venueCode} />}
          <Panel title={text.phones}>
            <ul className={styles.needs}>
              {text.phonesNeed.map((need) => (
                <li key={need}>{need}</li>
              ))}
            </ul>
          </Panel>
        </div>
      </div>
    </>
  );
}

function Links({ event, links }: { event: EventPage; links: DoorLink[] }) {
  const failed = useFailure();
  const making = useMakeDoorLink(event.id);
  const makeOnce = useOnce(making);
  const [made, setMade] = useState<NewDoorLink | null>(null);
  const tooLate = hasCode(making.error, 'DOOR_LINK_ENDED');
  const make = () =>
    makeOnce(undefined, {
      onSuccess: setMade,
      onError: (error) => hasCode(error, 'DOOR_LINK_ENDED') || failed(error, text.makeFailed),
    });
  const shown = links.find(({ id }) => id === made?.id)?.revokedAt ? null : made;
  return (
    <Panel title={text.links} help={<HelpButton panel="door" title={text.links} />}>
      <div className={styles.fields}>
        <p className={styles.soft}>
          {event.status === 'draft'
            ? text.draft
            : event.status === 'cancelled'
              ? text.cancelled
              : text.linksHint}
        </p>
        {tooLate && <Refusal>{text.tooLate}</Refusal>}
        {shown && <MadeLink link={shown} close={() => setMade(null)} />}
        {event.status === 'published' && (
          <div>
            <ActionButton type={shown ? 'default' : 'primary'} inactive={making.isPending} onClick={make}>
              {making.isPending ? text.making : text.make}
            </ActionButton>
          </div>
        )}
        {links.length === 0 && event.status === 'published' && <p className={styles.soft}>{text.none}</p>}
        <ul className={styles.rows}>
          {links.map((link) => (
            <LinkRow key={link.id} eventId={event.id} link={link} />
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function MadeLink({ link, close }: { link: NewDoorLink; close: () => void }) {
  const { dateTime } = useFormats();
  const address = `${window.location.origin}/door/${link.token}`;
  return (
    <div className={styles.made} role="group" aria-label={text.link}>
      <QrCode text={address} label={text.linkQr} className={styles.qr} />
      <div className={styles.address}>
        <p role="status">{text.made}</p>
        <Field
          label={text.link}
          hint={text.validUntil({ moment: dateTime(link.expiresAt) })}
          value={address}
          readOnly
          autoFocus
          onFocus={({ target }) => target.select()}
        />
        <div className={styles.ending}>
          <CopyButton text={address} label={text.copy} copied={text.copied} failed={text.copyFailed} />
          <Button onClick={close}>{text.hide}</Button>
        </div>
      </div>
    </div>
  );
}

function LinkRow({ eventId, link }: { eventId: string; link: DoorLink }) {
  const { dateTime } = useFormats();
  const toasts = useToasts();
  const failed = useFailure();
  const revoking = useRevokeDoorLink(eventId);
  const [asked, setAsked] = useState(false);
  const expired = Date.parse(link.expiresAt) <= useNow();
  const ended = link.revokedAt !== null || expired;
  const state =
    link.revokedAt !== null
      ? text.endedAt({ moment: dateTime(link.revokedAt) })
      : expired
        ? text.expiredAt({ moment: dateTime(link.expiresAt) })
        : link.works
          ? text.validUntil({ moment: dateTime(link.expiresAt) })
          : text.makerLeft;
  const maker = link.madeBy === null ? text.madeByDeleted : text.madeBy({ name: link.madeBy });
  const madeAt = dateTime(link.createdAt);
  return (
    <li>
      <span>
        <strong>{text.madeAt({ moment: madeAt })}</strong>
        <span dir="auto">{`${maker} · ${state}`}</span>
      </span>
      {!ended && (
        <ActionButton
          danger
          inactive={revoking.isPending}
          aria-label={text.revokeOf({ moment: madeAt })}
          onClick={() => setAsked(true)}
        >
          {text.revoke}
        </ActionButton>
      )}
      {asked && (
        <ConfirmDialog
          danger
          title={text.revokeTitle}
          question={text.revokeQuestion}
          warning={text.revokeWarning}
          confirm={text.revokeTitle}
          onConfirm={() =>
            revoking.mutate(link.id, {
              onSuccess: () => toasts.success(text.revoked),
              onError: (error) => failed(error, text.revokeFailed),
            })
          }
          close={() => setAsked(false)}
        />
      )}
    </li>
  );
}

function Refusals({ event, refusals }: { event: EventPage; refusals: DoorOfEvent['refusals'] }) {
  const { eventMoment } = useFormats();
  return (
    <Panel title={text.refusals} lead={text.refusalsHint}>
      <ul className={styles.rows}>
        {refusals.map(({ linkId, name, walkIn, email, at, receivedAt, reason }, n) => (
          <li key={`${linkId} ${receivedAt} ${n}`}>
            <span>
              <strong dir="auto">{name ?? text.somebody}</strong>
              <span>
                {[
                  (walkIn ? text.walkedInAt : text.scannedAt)({ moment: eventMoment(event, at) }),
                  email,
                  text.reasons[reason],
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function SelfCheckIn({ event, venueCode }: { event: EventPage; venueCode: string }) {
  const { name } = useCommunity();
  const address = `${window.location.origin}/c/${venueCode}`;
  const poster = (
    <div className={styles.poster}>
      <p>{name}</p>
      <p className={styles.posterTitle} dir="auto">
        {event.title}
      </p>
      <p className={styles.posterCall}>{text.posterTitle}</p>
      <QrCode text={address} label={text.selfQr} />
      <p>{text.posterHint}</p>
      {event.slug && <p dir="ltr">{window.location.host + eventPath(event)}</p>}
    </div>
  );
  return (
    <Panel title={text.self} help={<HelpButton panel="selfCheckIn" title={text.self} />}>
      <div className={styles.fields}>
        <p className={styles.soft}>{text.selfHint}</p>
        <QrCode text={address} label={text.selfQr} className={styles.qr} />
        <div>
          <Button onClick={() => window.print()}>{text.print}</Button>
        </div>
      </div>
      {createPortal(poster, document.body)}
    </Panel>
  );
}
