import type { EventMessage, EventPage, MessageState, RecipientState } from '@meetmark/contracts';
import { adminText } from '@meetmark/i18n/texts/admin';
import { messagesText as text } from '@meetmark/i18n/texts/messages';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useCommunity } from '../../../api/community';
import { formatOutcome } from '../../../strings/messages';
import { EmptyState, Loaded } from '../../../ui/feedback';
import { Badge, type BadgeTone } from '../../../ui/marks';
import { Titled } from '../../../ui/titled';
import { AT_PLACE } from '../../../ui/event-times';
import { useFormats } from '../../../ui/use-formats';
import { useAction } from '../../auth/use-action';
import { HelpButton } from '../../help/help-button';
import forms from '../../events/event-form/event-form.module.css';
import Markdown from '../../events/shared/markdown';
import { ConfirmDialog } from '../shared/confirm-dialog';
import { DetailDrawer } from '../shared/detail-drawer';
import { type Column, RowActions, SelectFilter } from '../shared/list-table';
import { PagedList, usePagination } from '../shared/paged-list';
import { draftTo, followUpTo, type MessageDraft, MessageForm } from './message-form';
import {
  firstMessagesPath,
  firstRecipientsPath,
  messageQuery,
  messagesPageQuery,
  type RecipientRow,
  recipientsPageQuery,
  useCancelMessage,
} from './messages.api';
import styles from './messages.module.css';

const TONES: Record<MessageState, BadgeTone> = {
  draft: 'quiet',
  scheduled: 'accent',
  sending: 'warm',
  sent: 'good',
  cancelled: 'quiet',
};

export interface ChosenGuests {
  chosen: { id: string; name: string }[];
}

type Open = { what: 'write'; start?: MessageDraft } | { what: 'edit' | 'show'; id: string } | null;

const intro = (
  <Titled help={<HelpButton panel="messages" title={text.list} />}>
    <p>{text.intro}</p>
  </Titled>
);

export function Messages({ event }: { event: EventPage }) {
  const { id: eventId, registrationState: state } = event;
  const { timeZone } = useCommunity();
  const formats = useFormats();
  const pagination = usePagination(firstMessagesPath(eventId));
  const messages = useQuery(messagesPageQuery(pagination.path));
  const navigate = useNavigate();
  const { pathname, state: from } = useLocation() as { pathname: string; state: ChosenGuests | null };
  const [open, setOpen] = useState<Open>(
    from?.chosen ? { what: 'write', start: draftTo(from.chosen) } : null,
  );
  const [ending, setEnding] = useState<EventMessage | null>(null);
  const close = () => {
    setOpen(null);
    // forgets the chosen guests, or a reload would open the form again
    if (from?.chosen) void navigate(pathname, { replace: true });
  };
  const hasBegun = state === 'started' || state === 'ended';

  const columns: Column<EventMessage>[] = [
    {
      key: 'subject',
      title: text.subject,
      place: 'lead',
      cell: ({ id, subject }) => (
        <Button
          type="link"
          className={styles.subject}
          aria-label={text.open({ subject })}
          onClick={() => setOpen({ what: 'show', id })}
        >
          {subject}
        </Button>
      ),
    },
    { key: 'to', title: text.to, cell: ({ segment }) => text.segments[segment] },
    {
      key: 'when',
      title: text.when,
      cell: ({ state, sendAt }) => (
        <span className={styles.state}>
          <Badge tone={TONES[state]}>{text.states[state]}</Badge>
          {sendAt && <time dateTime={sendAt}>{formats.eventMoment(AT_PLACE, sendAt)}</time>}
        </span>
      ),
    },
    { key: 'outcome', title: text.outcome, cell: formatOutcome },
    {
      key: 'actions',
      title: adminText.actions,
      place: 'actions',
      cell: (message) =>
        isOpen(message) && (
          <RowActions
            subject={message.subject}
            actions={[
              { label: text.edit, run: () => setOpen({ what: 'edit', id: message.id }) },
              {
                label: message.state === 'draft' ? text.remove : text.cancel,
                danger: true,
                run: () => setEnding(message),
              },
            ]}
          />
        ),
    },
  ];
  return (
    <>
      <div className={styles.head}>
        {intro}
        <div className={forms.buttons}>
          <Button onClick={() => setOpen({ what: 'write', start: followUpTo(event, timeZone, new Date()) })}>
            {text.followUp}
          </Button>
          <Button type="primary" onClick={() => setOpen({ what: 'write' })}>
            {text.write}
          </Button>
        </div>
      </div>
      <PagedList
        list={text.list}
        pagination={pagination}
        page={messages}
        columns={columns}
        empty={<EmptyState title={text.empty} hint={text.emptyHint} />}
      />
      {open?.what === 'write' && (
        <MessageForm eventId={eventId} start={open.start} hasBegun={hasBegun} close={close} />
      )}
      {open?.what === 'edit' && (
        <EditMessage eventId={eventId} id={open.id} hasBegun={hasBegun} close={close} />
      )}
      {open?.what === 'show' && <MessageDrawer eventId={eventId} id={open.id} close={close} />}
      {ending && <EndMessage eventId={eventId} message={ending} close={() => setEnding(null)} />}
    </>
  );
}

const isOpen = ({ state }: EventMessage) => state === 'draft' || state === 'scheduled';

interface MessageProps {
  eventId: string;
  id: string;
  close: () => void;
}

function EditMessage({ eventId, id, hasBegun, close }: MessageProps & { hasBegun: boolean }) {
  const { data } = useQuery(messageQuery(eventId, id));
  return data ? <MessageForm eventId={eventId} message={data} hasBegun={hasBegun} close={close} /> : null;
}

interface EndMessageProps {
  eventId: string;
  message: EventMessage;
  close: () => void;
}

function EndMessage({ eventId, message, close }: EndMessageProps) {
  const cancel = useAction(useCancelMessage(eventId));
  const isDraft = message.state === 'draft';
  return (
    <ConfirmDialog
      danger
      title={isDraft ? text.removeTitle : text.cancelTitle}
      question={text.question({ subject: message.subject })}
      warning={isDraft ? text.removeWarning : text.cancelWarning}
      confirm={isDraft ? text.remove : text.cancelConfirm}
      onConfirm={() =>
        cancel(message.id, {
          success: isDraft ? text.removed : text.cancelled,
          failed: text.cancelFailed,
        })
      }
      close={close}
    />
  );
}

function MessageDrawer({ eventId, id, close }: MessageProps) {
  const query = useQuery(messageQuery(eventId, id));
  return (
    <DetailDrawer title={query.data?.subject ?? text.title} size={860} close={close}>
      <Loaded query={query}>
        {(message) => (
          <div className={styles.shown}>
            <p className={styles.state}>
              <Badge tone={TONES[message.state]}>{text.states[message.state]}</Badge>
              <span>{text.segments[message.segment]}</span>
              <span>{formatOutcome(message)}</span>
            </p>
            <div className={styles.body}>
              <Markdown text={message.body} heading="h3" />
            </div>
            <h3>{text.recipients}</h3>
            {isOpen(message) || message.state === 'cancelled' ? (
              <p>{text.recipientsLater}</p>
            ) : (
              <Recipients eventId={eventId} message={message} />
            )}
          </div>
        )}
      </Loaded>
    </DetailDrawer>
  );
}

const RECIPIENT_TONES: Record<RecipientState, BadgeTone> = {
  queued: 'quiet',
  sent: 'good',
  refused: 'bad',
  skipped: 'warm',
};
const RECIPIENT_OPTIONS = { '': text.anyState, ...text.recipientStates };

function Recipients({ eventId, message }: { eventId: string; message: EventMessage }) {
  const formats = useFormats();
  const [state, setState] = useState<RecipientState | ''>('');
  const pagination = usePagination(firstRecipientsPath(eventId, message.id, state));
  const recipients = useQuery(recipientsPageQuery(pagination.path, message.state === 'sending'));
  const columns: Column<RecipientRow>[] = [
    {
      key: 'name',
      title: text.name,
      place: 'lead',
      cell: ({ name, email }) => (
        <span className={styles.person}>
          <bdi>{name}</bdi>
          <span className={styles.email}>{email}</span>
        </span>
      ),
    },
    {
      key: 'state',
      title: text.state,
      cell: (row) => <Badge tone={RECIPIENT_TONES[row.state]}>{text.recipientStates[row.state]}</Badge>,
    },
    {
      key: 'at',
      title: text.at,
      oneLine: true,
      cell: ({ at }) => (at ? formats.eventMoment(AT_PLACE, at) : text.none),
    },
  ];
  return (
    <>
      <SelectFilter label={text.state} value={state} options={RECIPIENT_OPTIONS} change={setState} />
      <PagedList
        list={text.recipients}
        pagination={pagination}
        page={recipients}
        columns={columns}
        empty={<EmptyState title={text.recipientsEmpty} />}
      />
    </>
  );
}
