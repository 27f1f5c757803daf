import type {
  EventMessagePage,
  EventPage,
  MessageFields,
  MessageSegment,
  MessageText,
  RenderedMessage,
} from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventPath } from '@meetmark/contracts/event-path';
import { commonText } from '@meetmark/contracts/texts/common';
import { messagesText as text } from '@meetmark/contracts/texts/messages';
import { useQuery } from '@tanstack/react-query';
import { Checkbox } from 'antd';
import { useState } from 'react';
import { serverMessage } from '../../../api/client';
import { useCommunity } from '../../../api/community';
import { chosenNames } from '../../../strings/messages';
import { ActionButton, useOnce } from '../../../ui/action-button';
import { Choice, optionsOf } from '../../../ui/choice';
import { Dialog } from '../../../ui/dialog';
import { Refusal } from '../../../ui/feedback';
import { Field } from '../../../ui/field';
import { persist } from '../../../ui/persisted-state';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { AT_PLACE } from '../../../ui/event-times';
import { useFormats } from '../../../ui/use-formats';
import { wallClock } from '../../../ui/wall-clock';
import { daysLater, momentOfInput } from '../../../ui/zoned-time';
import { useFailure, useMember } from '../../auth/session';
import forms from '../../events/event-form/event-form.module.css';
import { Earlier, FormDrawer } from '../../events/event-form/form-drawer';
import { MarkdownField } from '../../editor/markdown-field';
import { typedMessageKey, useTypedFields } from '../../events/event-form/typed-fields';
import { audienceQuery, usePreviewMessage, useSaveMessage, useTestMessage } from './messages.api';
import styles from './messages.module.css';

type When = 'now' | 'later';

/** What is typed; `sendAt` is on the community's clock, as an input takes it. */
export interface MessageDraft {
  segment: MessageSegment;
  /** The chosen people, for the segment `chosen`. */
  registrationIds: string[];
  /** The names of people who were chosen just now; empty when the message was opened later. */
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

/** A message to people who were chosen one by one. */
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
    subject: text.followUpSubject({ title: event.title }).slice(0, LIMITS.messageSubject),
    body: text.followUpBody({ title: event.title, url: window.location.origin + eventPath(event) }),
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
  const { id: userId } = useMember();
  const typedAs = typedMessageKey(userId, form.eventId, form.message);
  return (
    <FormDrawer
      title={form.message ? text.editTitle : text.composeTitle}
      close={close}
      discarded={() => persist(typedAs, null)}
    >
      {(dismiss, holds) => <Fields {...form} typedAs={typedAs} dismiss={dismiss} holds={holds} />}
    </FormDrawer>
  );
}

const textOf = ({ subject, body, toAuthor }: MessageDraft): MessageText => ({
  subject,
  body,
  replyTo: toAuthor ? 'author' : 'community',
});

interface FieldsProps extends Omit<MessageFormProps, 'close'> {
  /** Where what is typed is kept. */
  typedAs: string;
  dismiss: () => void;
  holds: (changes: boolean) => void;
}

function Fields({ eventId, message, start = EMPTY, hasBegun, typedAs, dismiss, holds }: FieldsProps) {
  const { timeZone } = useCommunity();
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
  const typed = useTypedFields(typedAs, first, fields, holds);
  const done = () => {
    typed.forget();
    dismiss();
  };
  const saving = useSaving(eventId, message, { done, refused: refuseAs });
  const trial = useTrial(eventId);
  const sizeOf = useSegmentSizes(eventId, fields);
  /** Does the work if the message has a subject and a text. The time does not matter yet. */
  const withWords = (work: (draft: MessageDraft) => void) => {
    const missing = wordsMissing(fields);
    refuse(missing);
    if (Object.keys(missing).length === 0) work(fields);
  };
  return (
    <form ref={form} className={forms.form} noValidate onSubmit={submit(saving.send)}>
      <div className={styles.fields}>
        <Earlier typed={typed} change={change} />
        <SegmentField
          draft={fields}
          isOffered={(segment) => segment === first.segment || isOffered(segment, hasBegun)}
          sizeOf={sizeOf}
          choose={(segment) => change({ segment })}
        />
        <Field label={text.subjectLabel} maxLength={LIMITS.messageSubject} {...bind('subject')} />
        <MarkdownField
          heading="h3"
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
            hint={text.sendAtZone({ zone: timeZone })}
            {...bind('sendAt')}
          />
        )}
      </div>
      <div className={forms.foot}>
        {saving.error && <Refusal>{serverMessage(saving.error) ?? text.failed}</Refusal>}
        <div className={forms.buttons}>
          <ActionButton loading={trial.isRendering} onClick={() => withWords(trial.preview)}>
            {text.preview}
          </ActionButton>
          <ActionButton loading={trial.isTesting} onClick={() => withWords(trial.test)}>
            {text.test}
          </ActionButton>
          <ActionButton inactive={saving.isPending} onClick={() => withWords(saving.saveDraft)}>
            {text.saveDraft}
          </ActionButton>
          <SendButton when={fields.when} size={sizeOf(fields.segment)} isSending={saving.isPending} />
        </div>
      </div>
      {trial.shown && <Preview message={trial.shown} close={trial.hide} />}
    </form>
  );
}

interface Outcomes {
  done: () => void;
  /** Shows what the server found wrong at its fields. */
  refused: (error: unknown) => void;
}

/** Saves the message as a draft, schedules it or sends it, and tells its author how that went. */
function useSaving(eventId: string, message: EventMessagePage | undefined, { done, refused }: Outcomes) {
  const toasts = useToasts();
  const failed = useFailure();
  const { timeZone } = useCommunity();
  const { eventMoment } = useFormats();
  const saving = useSaveMessage(eventId, message?.id);
  const saveOnce = useOnce(saving);
  const save = (draft: MessageDraft, options: Pick<MessageFields, 'draft' | 'sendAt'>, outcome: string) =>
    saveOnce(
      {
        ...textOf(draft),
        segment: draft.segment,
        ...(draft.segment === 'chosen' && { registrationIds: draft.registrationIds }),
        ...options,
      },
      {
        onSuccess: () => {
          toasts.success(commonText.success, outcome);
          done();
        },
        onError: (error) => {
          refused(error);
          failed(error, serverMessage(error) ?? text.failed);
        },
      },
    );
  return {
    error: saving.error,
    isPending: saving.isPending,
    saveDraft: (draft: MessageDraft) => save(draft, { draft: true }, text.draftSaved),
    /** Sends the message at once, or schedules it for the chosen time. */
    send: (draft: MessageDraft) => {
      if (draft.when === 'now') return save(draft, {}, text.sentNow);
      const sendAt = momentOfInput(draft.sendAt, timeZone).toISOString();
      return save(draft, { sendAt }, text.scheduledFor({ moment: eventMoment(AT_PLACE, sendAt) }));
    },
  };
}

/** Shows the author the message as readers will see it: on the screen, or by a mail to the author alone. */
function useTrial(eventId: string) {
  const toasts = useToasts();
  const failed = useFailure();
  const previewing = usePreviewMessage(eventId);
  const testing = useTestMessage(eventId);
  const testOnce = useOnce(testing);
  const [shown, setShown] = useState<RenderedMessage | null>(null);
  return {
    shown,
    hide: () => setShown(null),
    isRendering: previewing.isPending,
    isTesting: testing.isPending,
    preview: (draft: MessageDraft) =>
      previewing.mutate(textOf(draft), {
        onSuccess: setShown,
        onError: (error) => failed(error, serverMessage(error) ?? text.previewFailed),
      }),
    test: (draft: MessageDraft) =>
      testOnce(textOf(draft), {
        onSuccess: () => toasts.success(commonText.success, text.testSent),
        onError: (error) => failed(error, serverMessage(error) ?? text.testFailed),
      }),
  };
}

type SizeOf = (segment: MessageSegment) => number | undefined;

/** How many people each segment has; undefined until the server has answered. */
function useSegmentSizes(eventId: string, { registrationIds }: MessageDraft): SizeOf {
  const { data: audience } = useQuery(audienceQuery(eventId));
  return (segment) => (segment === 'chosen' ? registrationIds.length : audience?.[segment]);
}

/** Who came is known once the event has begun; people are not chosen here. */
const isOffered = (segment: MessageSegment, hasBegun: boolean) =>
  segment === 'registered' || segment === 'waiting' || (segment !== 'chosen' && hasBegun);

interface SegmentFieldProps {
  draft: MessageDraft;
  isOffered: (segment: MessageSegment) => boolean;
  sizeOf: SizeOf;
  choose: (segment: MessageSegment) => void;
}

/** Chooses the recipients; each choice has its number of people. */
function SegmentField({ draft: { segment, names }, isOffered, sizeOf, choose }: SegmentFieldProps) {
  const { count } = useFormats();
  const segments = optionsOf(text.segments)
    .filter(({ value }) => isOffered(value))
    .map(({ value, label }) => {
      const people = sizeOf(value);
      return {
        value,
        label: people === undefined ? label : text.segmentWith({ name: label, count: count(people) }),
      };
    });
  return (
    <div className={styles.group}>
      <span className={styles.label}>{text.segment}</span>
      <div className={styles.choices}>
        <Choice label={text.segment} options={segments} value={segment} change={choose} />
      </div>
      {segment === 'chosen' && names.length > 0 && <p className={styles.hint}>{chosenNames(names)}</p>}
    </div>
  );
}

interface SendButtonProps {
  when: When;
  /** How many people the message goes to. */
  size: number | undefined;
  isSending: boolean;
}

function SendButton({ when, size, isSending }: SendButtonProps) {
  const { count } = useFormats();
  const act = when === 'later' ? text.schedule : text.send({ count: count(size ?? 0) });
  return (
    <ActionButton type="primary" htmlType="submit" inactive={isSending || (when === 'now' && size === 0)}>
      {isSending ? text.sending : act}
    </ActionButton>
  );
}

/** The message as the server renders it. */
const Preview = ({ message, close }: { message: RenderedMessage; close: () => void }) => (
  <Dialog title={text.previewTitle} close={close} width={720}>
    {() => (
      <>
        <p className={styles.previewSubject}>{message.subject}</p>
        {/* nothing in it runs, and it is of no origin */}
        <iframe className={styles.preview} title={text.previewFrame} sandbox="" srcDoc={message.html} />
      </>
    )}
  </Dialog>
);

const WHEN = optionsOf<When>({ now: text.now, later: text.later });

const wordsMissing = ({ subject, body }: MessageDraft) => ({
  ...(subject.trim() === '' && { subject: text.subjectMissing }),
  ...(body.trim() === '' && { body: text.bodyMissing }),
});
