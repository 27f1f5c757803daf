import type { Event } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventLifeText as text } from '@meetmark/i18n/texts/event-life';
import { eventTopicsText } from '@meetmark/i18n/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { type ReactNode, useState } from 'react';
import { ActionButton, CopyButton } from '../../ui/action-button';
import { Choice, toOptions } from '../../ui/choice';
import { Dialog, DialogActions, DialogButtons } from '../../ui/dialog';
import { Field, TextArea } from '../../ui/field';
import { readNumber } from '../../ui/numbers';
import { lazyDialog } from '../../ui/lazy';
import { LinkButton } from '../../ui/link-button';
import { MoreMenu } from '../../ui/more-menu';
import { useFormats } from '../../ui/use-formats';
import {
  previewLinkQuery,
  type SeriesPlan,
  useCancelEvent,
  useMakePreview,
  useMakeSeries,
  usePublishEvent,
  useRevokePreview,
} from './event-life.api';
import styles from './event-menu.module.css';
import { eventQuery } from './shared/events.api';
import { useRegistrationState } from './shared/use-registration-state';
import { useAction } from '../auth/use-action';

type Action = 'publish' | 'cancel' | 'preview' | 'series';

interface EventMenuProps {
  event: Event;
  onDuplicate: () => void;
  onDelete?: () => void;
}

export function EventMenu({ event, onDuplicate, onDelete }: EventMenuProps) {
  const [action, setAction] = useState<Action | null>(null);
  const over = useRegistrationState(event) === 'ended';
  const draft = event.status === 'draft';
  const offered = (key: Action, wanted: boolean) =>
    wanted ? [{ key, label: text[key], danger: key === 'cancel', onClick: () => setAction(key) }] : [];
  const items = [
    ...offered('publish', draft),
    ...offered('preview', draft),
    { key: 'duplicate', label: text.duplicate, onClick: onDuplicate },
    ...offered('series', event.seriesId === null && event.status !== 'cancelled'),
    ...offered('cancel', event.status === 'published' && !over),
    ...(onDelete ? [{ key: 'delete', label: text.delete, danger: true, onClick: onDelete }] : []),
  ];
  const close = () => setAction(null);
  return (
    <>
      <MoreMenu
        label={text.more}
        name={text.moreOf({ title: event.title })}
        items={items}
        className={styles.more}
      />
      {action === 'publish' && <PublishDialog event={event} close={close} />}
      {action === 'cancel' && <CancelEventDialog event={event} close={close} />}
      {action === 'preview' && <PreviewDialog event={event} close={close} />}
      {action === 'series' && <SeriesDialog event={event} close={close} />}
    </>
  );
}

const EventFormDialog = lazyDialog(() => import('./event-form/event-form'));

type Open = 'edit' | 'duplicate' | 'publish' | null;

export function OrganiserBar({ event }: { event: Event }) {
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

interface ActionDialogProps {
  event: Event;
  close: () => void;
}

export function PublishDialog({ event, close }: ActionDialogProps) {
  const publishing = usePublishEvent(event);
  const publishOnce = useAction(publishing);
  const mayAnnounce = event.visibility === 'public' && event.topics.length > 0;
  const { data: page } = useQuery({ ...eventQuery(event.id), enabled: mayAnnounce });
  const [chosen, choose] = useState<boolean>();
  const announce = chosen ?? page?.announcement === 'planned';
  const publish = (dismiss: () => void) =>
    publishOnce(chosen, { success: text.published, failed: text.publishFailed, onSettled: dismiss });
  return (
    <Dialog title={text.publishTitle} close={close} width={480} compact>
      {(dismiss) => (
        <>
          <Question warning={text.publishWarning[event.visibility]}>
            {text.publishQuestion({ title: event.title })}
          </Question>
          {mayAnnounce && (
            <div className={styles.form}>
              <Checkbox checked={announce} onChange={({ target }) => choose(target.checked)}>
                {eventTopicsText.announce}
              </Checkbox>
              <p className="soft small">{eventTopicsText.announceHint}</p>
            </div>
          )}
          <DialogButtons dismiss={dismiss} loading={publishing.isPending} onClick={() => publish(dismiss)}>
            {text.publish}
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}

export function CancelEventDialog({ event, close }: ActionDialogProps) {
  const [reason, setReason] = useState('');
  const cancelling = useCancelEvent(event);
  const cancelOnce = useAction(cancelling);
  const cancel = (dismiss: () => void) =>
    cancelOnce(reason.trim(), { success: text.cancelled, failed: text.cancelFailed, onSuccess: dismiss });
  return (
    <Dialog title={text.cancelTitle} close={close} width={520} form>
      {(dismiss) => (
        <div className={styles.form}>
          <Question warning={text.cancelWarning}>{text.cancelQuestion({ title: event.title })}</Question>
          <p>
            <strong>{text.told({ people: event.registrationCount + event.waitingCount })}</strong>
          </p>
          <TextArea
            label={text.reason}
            hint={text.reasonHint}
            maxLength={LIMITS.note}
            rows={3}
            value={reason}
            onChange={setReason}
          />
          <DialogButtons
            dismiss={dismiss}
            keep={text.keep}
            danger
            inactive={cancelling.isPending}
            onClick={() => cancel(dismiss)}
          >
            {cancelling.isPending ? text.cancelling : text.confirmCancel}
          </DialogButtons>
        </div>
      )}
    </Dialog>
  );
}

function PreviewDialog({ event, close }: ActionDialogProps) {
  const making = useMakePreview(event);
  const makeOnce = useAction(making);
  const revoking = useRevokePreview(event);
  const revokeOnce = useAction(revoking);
  const { dateTime } = useFormats();
  const { data: link } = useQuery(previewLinkQuery(event));
  const address = making.data && `${window.location.origin}/events/preview/${making.data.token}`;
  const make = () => makeOnce(undefined, { failed: text.previewFailed });
  const revoke = () =>
    revokeOnce(undefined, {
      success: text.previewRevoked,
      failed: text.previewRevokeFailed,
      onSuccess: making.reset,
    });
  return (
    <Dialog title={text.preview} close={close} width={520}>
      {() => (
        <div className={styles.form}>
          <p>{text.previewIntro}</p>
          {link && (
            <p className="soft small" dir="auto">
              {link.works
                ? text.previewMade({ name: link.madeBy, moment: dateTime(link.createdAt) })
                : text.previewMakerLeft({ name: link.madeBy })}
            </p>
          )}
          {address && (
            <Field
              label={text.previewAddress}
              value={address}
              readOnly
              onFocus={({ target }) => target.select()}
            />
          )}
          <DialogActions>
            <ActionButton inactive={revoking.isPending} onClick={revoke}>
              {revoking.isPending ? text.previewRevoking : text.previewRevoke}
            </ActionButton>
            {address ? (
              <CopyButton
                text={address}
                label={text.previewCopy}
                copied={text.previewCopied}
                failed={text.previewCopyFailed}
              />
            ) : (
              <ActionButton type="primary" inactive={making.isPending} onClick={make}>
                {making.isPending ? text.previewMaking : text.previewMake}
              </ActionButton>
            )}
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}

const INTERVALS = toOptions<SeriesPlan['every']>(text.everyOptions);
const EVENTS = { min: 2, max: 12, usual: 6 };

function SeriesDialog({ event, close }: ActionDialogProps) {
  const [every, setEvery] = useState<SeriesPlan['every']>('month');
  const [count, setCount] = useState(String(EVENTS.usual));
  const [error, setError] = useState<string | null>(null);
  const making = useMakeSeries(event);
  const makeOnce = useAction(making);
  const make = (dismiss: () => void) => {
    const wanted = Number(readNumber(count));
    if (!Number.isInteger(wanted) || wanted < EVENTS.min || wanted > EVENTS.max)
      return setError(text.countInvalid);
    makeOnce(
      { every, count: wanted },
      {
        success: (drafts) => text.seriesMade({ count: drafts.length }),
        failed: text.seriesFailed,
        onSuccess: dismiss,
      },
    );
  };
  return (
    <Dialog title={text.series} close={close} width={520}>
      {(dismiss) => (
        <div className={styles.form}>
          <p>{text.seriesIntro}</p>
          <div className={styles.labelled}>
            <p aria-hidden="true">{text.every}</p>
            <Choice label={text.every} options={INTERVALS} value={every} change={setEvery} />
          </div>
          {every === 'month' && <p className="soft small">{text.monthHint}</p>}
          <Field
            label={text.count}
            inputMode="numeric"
            value={count}
            error={error}
            onChange={(typed) => {
              setCount(typed);
              setError(null);
            }}
          />
          <DialogButtons dismiss={dismiss} inactive={making.isPending} onClick={() => make(dismiss)}>
            {making.isPending ? text.seriesMaking : text.seriesMake}
          </DialogButtons>
        </div>
      )}
    </Dialog>
  );
}

const Question = ({ children, warning }: { children: ReactNode; warning: string }) => (
  <>
    <p className="strong anywhere">{children}</p>
    <p className="soft small">{warning}</p>
  </>
);
