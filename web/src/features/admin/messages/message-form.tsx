import type {
  EventMessagePage,
  EventPage,
  MessageFields,
  MessageSegment,
  MessageText,
  RenderedMessage,
} from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { useQuery } from '@tanstack/react-query';
import { Checkbox } from 'antd';
import { useState } from 'react';
import { serverMessage } from '../../../api/client';
import { useCommunity } from '../../../api/community';
import { commonText } from '../../../strings/common';
import { chosenNames, messagesText as text } from '../../../strings/messages';
import { ActionButton, useOnce } from '../../../ui/action-button';
import { Choice, optionsOf } from '../../../ui/choice';
import { Dialog } from '../../../ui/dialog';
import { Refusal } from '../../../ui/feedback';
import { Field } from '../../../ui/field';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { AT_PLACE } from '../../../ui/event-times';
import { useFormats } from '../../../ui/use-formats';
import { wallClock } from '../../../ui/wall-clock';
import { daysLater, momentOfInput } from '../../../ui/zoned-time';
import { useFailure } from '../../auth/session';
import { MarkdownField } from '../../events/event-form/content-fields';
import forms from '../../events/event-form/event-form.module.css';
import { FormDrawer } from '../../events/event-form/form-drawer';
import { audienceQuery, usePreviewMessage, useSaveMessage, useTestMessage } from './messages.api';
import styles from './messages.module.css';

type When = 'now' | 'later';

/** What is typed; `sendAt` is on the community's clock, as an input takes it. */
export interface MessageDraft {
  segment: MessageSegment;
  /** Of the segment `chosen`. */
  registrationIds: string[];
  /** Of the people who were chosen just now. */
  names: string[];
  subject: string;
  body: string;
  toAuthor: boolean;
  when: When;
  sendAt: string;
}

const EMPTY: MessageDraft = {
  segment: 'registered',
  registrationIds: [],
  names: [],
  subject: '',
  body: '',
  toAuthor: true,
  when: 'now',
  sendAt: '',
};

const MORNING = '10:00';
const inputOf = ({ date, time }: { date: string; time: string }) => `${date}T${time}`;

/** To people who were chosen one by one. */
export const draftTo = (people: { id: string; name: string }[]): MessageDraft => ({
  ...EMPTY,
  segment: 'chosen',
  registrationIds: people.map(({ id }) => id),
  names: people.map(({ name }) => name),
});

/** Thanks, on the morning after the event; at once when that is over. */
export function followUpTo(event: EventPage, timeZone: string, now: Date): MessageDraft {
  const morning = `${daysLater(wallClock(event.endDate, timeZone).date, 1)}T${MORNING}`;
  const later = momentOfInput(morning, timeZone) > now;
  return {
    ...EMPTY,
    subject: text.followUpSubject(event.title).slice(0, LIMITS.messageSubject),
    body: text.followUpBody(event.title, `${window.location.origin}/events/${event.id}`),
    when: later ? 'later' : 'now',
    sendAt: later ? morning : '',
  };
}

const draftOf = (
  { segment, registrationIds, subject, body, replyTo, sendAt }: EventMessagePage,
  timeZone: string,
): MessageDraft => ({
  segment,
  registrationIds,
  names: [],
  subject,
  body,
  toAuthor: replyTo === 'author',
  when: sendAt === null ? 'now' : 'later',
  sendAt: sendAt === null ? '' : inputOf(wallClock(sendAt, timeZone)),
});

interface MessageFormProps {
  eventId: string;
  /** A draft, or what is scheduled; without it a new message is written. */
  message?: EventMessagePage;
  /** What a new message begins with. */
  start?: MessageDraft;
  /** The event. */
  hasBegun: boolean;
  close: () => void;
}

/** Writes a message: whom to, what and when, with a preview and a test to oneself. */
export function MessageForm({ close, ...form }: MessageFormProps) {
  return (
    <FormDrawer
      title={form.message ? text.editTitle : text.composeTitle}
      close={close}
      discarded={() => undefined}
    >
      {(dismiss) => <Fields {...form} dismiss={dismiss} />}
    </FormDrawer>
  );
}

const textOf = ({ subject, body, toAuthor }: MessageDraft): MessageText => ({
  subject,
  body,
  replyTo: toAuthor ? 'author' : 'community',
});

function Fields({
  eventId,
  message,
  start = EMPTY,
  hasBegun,
  dismiss,
}: Omit<MessageFormProps, 'close'> & { dismiss: () => void }) {
  const toasts = useToasts();
  const failed = useFailure();
  const { timeZone } = useCommunity();
  const { count, eventMoment } = useFormats();
  const { data: audience } = useQuery(audienceQuery(eventId));
  const check = (draft: MessageDraft) => ({
    ...wordsMissing(draft),
    ...(draft.when === 'later' && !(momentOfInput(draft.sendAt, timeZone) > new Date())
      ? { sendAt: text.sendAtMissing }
      : {}),
  });
  const [first] = useState(() => (message ? draftOf(message, timeZone) : start));
  const { form, fields, errors, change, bind, refuse, refuseAs, submit } = useForm<MessageDraft>(
    first,
    check,
  );
  const saving = useSaveMessage(eventId, message?.id);
  const saveOnce = useOnce(saving);
  const previewing = usePreviewMessage(eventId);
  const testing = useTestMessage(eventId);
  const testOnce = useOnce(testing);
  const [shown, setShown] = useState<RenderedMessage | null>(null);

  const save = (draft: MessageDraft, options: Pick<MessageFields, 'draft' | 'sendAt'>, done: string) =>
    saveOnce(
      {
        ...textOf(draft),
        segment: draft.segment,
        ...(draft.segment === 'chosen' && { registrationIds: draft.registrationIds }),
        ...options,
      },
      {
        onSuccess: () => {
          toasts.success(commonText.success, done);
          dismiss();
        },
        onError: (error) => {
          refuseAs(error);
          failed(error, serverMessage(error) ?? text.failed);
        },
      },
    );
  const go = submit((draft) => {
    if (draft.when === 'now') return save(draft, {}, text.sentNow);
    const sendAt = momentOfInput(draft.sendAt, timeZone).toISOString();
    return save(draft, { sendAt }, text.scheduledFor(eventMoment(AT_PLACE, sendAt)));
  });
  /** With words; the time does not matter yet. */
  const withWords = (work: (draft: MessageDraft) => void) => {
    const missing = wordsMissing(fields);
    refuse(missing);
    if (Object.keys(missing).length === 0) work(fields);
  };
  const preview = (draft: MessageDraft) =>
    previewing.mutate(textOf(draft), {
      onSuccess: setShown,
      onError: (error) => failed(error, serverMessage(error) ?? text.previewFailed),
    });
  const test = (draft: MessageDraft) =>
    testOnce(textOf(draft), {
      onSuccess: () => toasts.success(commonText.success, text.testSent),
      onError: (error) => failed(error, serverMessage(error) ?? text.testFailed),
    });

  const sizeOf = (segment: MessageSegment) =>
    segment === 'chosen' ? fields.registrationIds.length : audience?.[segment];
  const size = sizeOf(fields.segment);
  /** Who came is known once the event has begun; people are not chosen here. */
  const isOffered = (segment: MessageSegment) =>
    segment === 'registered' || segment === 'waiting' || (segment !== 'chosen' && hasBegun);
  const segments = optionsOf(text.segments)
    .filter(({ value }) => value === first.segment || isOffered(value))
    .map(({ value, label }) => {
      const people = sizeOf(value);
      return { value, label: people === undefined ? label : text.segmentWith(label, count(people)) };
    });
  return (
    <form ref={form} className={forms.form} noValidate onSubmit={go}>
      <div className={styles.fields}>
        <div className={styles.group}>
          <span className={styles.label}>{text.segment}</span>
          <div className={styles.choices}>
            <Choice
              label={text.segment}
              options={segments}
              value={fields.segment}
              change={(segment) => change({ segment })}
            />
          </div>
          {fields.segment === 'chosen' && fields.names.length > 0 && (
            <p className={styles.hint}>{chosenNames(fields.names)}</p>
          )}
        </div>
        <Field label={text.subjectLabel} maxLength={LIMITS.messageSubject} {...bind('subject')} />
        <MarkdownField
          label={text.bodyLabel}
          value={fields.body}
          error={errors.body}
          onChange={(body) => change({ body })}
        />
        <div className={styles.group}>
          <Checkbox checked={fields.toAuthor} onChange={({ target }) => change({ toAuthor: target.checked })}>
            {text.replyTo}
          </Checkbox>
          <p className={styles.hint}>{text.replyToHint}</p>
        </div>
        <div className={styles.group}>
          <span className={styles.label}>{text.sendWhen}</span>
          <div className={styles.choices}>
            <Choice
              label={text.sendWhen}
              options={WHEN}
              value={fields.when}
              change={(when) => change({ when })}
            />
          </div>
        </div>
        {fields.when === 'later' && (
          <Field
            label={text.sendAt}
            type="datetime-local"
            hint={text.sendAtZone(timeZone)}
            {...bind('sendAt')}
          />
        )}
      </div>
      <div className={forms.foot}>
        {saving.error && <Refusal>{serverMessage(saving.error) ?? text.failed}</Refusal>}
        <div className={forms.buttons}>
          <ActionButton loading={previewing.isPending} onClick={() => withWords(preview)}>
            {text.preview}
          </ActionButton>
          <ActionButton loading={testing.isPending} onClick={() => withWords(test)}>
            {text.test}
          </ActionButton>
          <ActionButton
            inactive={saving.isPending}
            onClick={() => withWords((draft) => save(draft, { draft: true }, text.draftSaved))}
          >
            {text.saveDraft}
          </ActionButton>
          <ActionButton
            type="primary"
            htmlType="submit"
            inactive={saving.isPending || (fields.when === 'now' && size === 0)}
          >
            {saving.isPending
              ? text.sending
              : fields.when === 'later'
                ? text.schedule
                : text.send(count(size ?? 0))}
          </ActionButton>
        </div>
      </div>
      {shown && (
        <Dialog title={text.previewTitle} close={() => setShown(null)} width={720}>
          {() => (
            <>
              <p className={styles.previewSubject}>{shown.subject}</p>
              {/* nothing in it runs, and it is of no origin */}
              <iframe className={styles.preview} title={text.previewFrame} sandbox="" srcDoc={shown.html} />
            </>
          )}
        </Dialog>
      )}
    </form>
  );
}

const WHEN = optionsOf<When>({ now: text.now, later: text.later });

const wordsMissing = ({ subject, body }: MessageDraft) => ({
  ...(subject.trim() === '' && { subject: text.subjectMissing }),
  ...(body.trim() === '' && { body: text.bodyMissing }),
});
