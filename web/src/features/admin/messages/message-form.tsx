import type {
  EventMessagePage,
  EventPage,
  MessageFields,
  MessageSegment,
  MessageText,
  RenderedMessage,
} from '@meetmark/contracts';
import { cutText } from '@meetmark/contracts/cut-text';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { messagesText as text } from '@meetmark/i18n/texts/messages';
import { useQuery } from '@tanstack/react-query';
import { Checkbox } from 'antd';
import { useState } from 'react';
import { serverMessage } from '../../../api/client';
import { useCommunity } from '../../../api/community';
import { chosenNames } from '../../../strings/messages';
import { ActionButton } from '../../../ui/action-button';
import { Choice, toOptions } from '../../../ui/choice';
import { Dialog } from '../../../ui/dialog';
import { Refusal } from '../../../ui/feedback';
import { dateError, toTimestamp } from '../../../ui/date-input';
import { DateField } from '../../../ui/date-field';
import { Field } from '../../../ui/field';
import { persist } from '../../../ui/persisted-state';
import { useForm } from '../../../ui/use-form';
import { AT_PLACE } from '../../../ui/event-times';
import { useFormats } from '../../../ui/use-formats';
import { wallClock } from '../../../ui/wall-clock';
import { daysLater } from '../../../ui/zoned-time';
import { useAction } from '../../auth/use-action';
import { useMember } from '../../auth/session';
import forms from '../../events/event-form/event-form.module.css';
import { Earlier, FormDrawer } from '../../events/event-form/form-drawer';
import { MarkdownField } from '../../editor/markdown-field';
import { typedMessageKey, useTypedFields } from '../../events/event-form/typed-fields';
import { audienceQuery, usePreviewMessage, useSaveMessage, useTestMessage } from './messages.api';
import styles from './messages.module.css';

type When = 'now' | 'later';

export interface MessageDraft {
  segment: MessageSegment;
  registrationIds: string[];
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
const toInputValue = ({ date, time }: { date: string; time: string }) => `${date}T${time}`;

export const draftTo = (people: { id: string; name: string }[]): MessageDraft => ({
  ...EMPTY,
  segment: 'chosen',
  registrationIds: people.map(({ id }) => id),
  names: people.map(({ name }) => name),
});

export function followUpTo(event: EventPage, timeZone: string, now: Date): MessageDraft {
  const morning = `${daysLater(wallClock(event.endDate, timeZone).date, 1)}T${MORNING}`;
  const later = toTimestamp(morning, timeZone) > now.toISOString();
  return {
    ...EMPTY,
    subject: cutText(text.followUpSubject({ title: event.title }), LIMITS.messageSubject),
    body: text.followUpBody({ title: event.title, url: window.location.origin + eventPath(event) }),
    when: later ? 'later' : 'now',
    sendAt: later ? morning : '',
  };
}

const toDraft = (
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
  sendAt: sendAt === null ? '' : toInputValue(wallClock(sendAt, timeZone)),
});

interface MessageFormProps {
  eventId: string;
  message?: EventMessagePage;
  start?: MessageDraft;
  hasBegun: boolean;
  close: () => void;
}

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

function sendAtError(sendAt: string, timeZone: string) {
  const error = dateError(sendAt);
  if (error) return { sendAt: error };
  return toTimestamp(sendAt, timeZone) > new Date().toISOString() ? {} : { sendAt: text.sendAtMissing };
}

const toText = ({ subject, body, toAuthor }: MessageDraft): MessageText => ({
  subject,
  body,
  replyTo: toAuthor ? 'author' : 'community',
});

interface FieldsProps extends Omit<MessageFormProps, 'close'> {
  typedAs: string;
  dismiss: () => void;
  holds: (changes: boolean) => void;
}

function Fields({ eventId, message, start = EMPTY, hasBegun, typedAs, dismiss, holds }: FieldsProps) {
  const { timeZone } = useCommunity();
  const check = (draft: MessageDraft) => ({
    ...wordsMissing(draft),
    ...(draft.when === 'later' && sendAtError(draft.sendAt, timeZone)),
  });
  const [first] = useState(() => (message ? toDraft(message, timeZone) : start));
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
  const getSize = useSegmentSizes(eventId, fields);
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
          getSize={getSize}
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
          <DateField
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
          <SendButton when={fields.when} size={getSize(fields.segment)} isSending={saving.isPending} />
        </div>
      </div>
      {trial.shown && <Preview message={trial.shown} close={trial.hide} />}
    </form>
  );
}

interface Outcomes {
  done: () => void;
  refused: (error: unknown) => void;
}

function useSaving(eventId: string, message: EventMessagePage | undefined, { done, refused }: Outcomes) {
  const { timeZone } = useCommunity();
  const { eventMoment } = useFormats();
  const saving = useSaveMessage(eventId, message?.id);
  const saveOnce = useAction(saving);
  const save = (draft: MessageDraft, options: Pick<MessageFields, 'draft' | 'sendAt'>, outcome: string) =>
    saveOnce(
      {
        ...toText(draft),
        segment: draft.segment,
        ...(draft.segment === 'chosen' && { registrationIds: draft.registrationIds }),
        ...options,
      },
      { success: outcome, failed: text.failed, onSuccess: done, onError: refused },
    );
  return {
    error: saving.error,
    isPending: saving.isPending,
    saveDraft: (draft: MessageDraft) => save(draft, { draft: true }, text.draftSaved),
    send: (draft: MessageDraft) => {
      if (draft.when === 'now') return save(draft, {}, text.sentNow);
      const sendAt = toTimestamp(draft.sendAt, timeZone);
      return save(draft, { sendAt }, text.scheduledFor({ moment: eventMoment(AT_PLACE, sendAt) }));
    },
  };
}

function useTrial(eventId: string) {
  const previewing = usePreviewMessage(eventId);
  const previewOnce = useAction(previewing);
  const testing = useTestMessage(eventId);
  const testOnce = useAction(testing);
  const [shown, setShown] = useState<RenderedMessage | null>(null);
  return {
    shown,
    hide: () => setShown(null),
    isRendering: previewing.isPending,
    isTesting: testing.isPending,
    preview: (draft: MessageDraft) =>
      previewOnce(toText(draft), { failed: text.previewFailed, onSuccess: setShown }),
    test: (draft: MessageDraft) =>
      testOnce(toText(draft), { success: text.testSent, failed: text.testFailed }),
  };
}

type SizeOf = (segment: MessageSegment) => number | undefined;

function useSegmentSizes(eventId: string, { registrationIds }: MessageDraft): SizeOf {
  const { data: audience } = useQuery(audienceQuery(eventId));
  return (segment) => (segment === 'chosen' ? registrationIds.length : audience?.[segment]);
}

const isOffered = (segment: MessageSegment, hasBegun: boolean) =>
  segment === 'registered' || segment === 'waiting' || (segment !== 'chosen' && hasBegun);

interface SegmentFieldProps {
  draft: MessageDraft;
  isOffered: (segment: MessageSegment) => boolean;
  getSize: SizeOf;
  choose: (segment: MessageSegment) => void;
}

function SegmentField({ draft: { segment, names }, isOffered, getSize, choose }: SegmentFieldProps) {
  const { count } = useFormats();
  const segments = toOptions(text.segments)
    .filter(({ value }) => isOffered(value))
    .map(({ value, label }) => {
      const people = getSize(value);
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

const Preview = ({ message, close }: { message: RenderedMessage; close: () => void }) => (
  <Dialog title={text.previewTitle} close={close} width={720}>
    {() => (
      <>
        <p className={styles.previewSubject}>{message.subject}</p>
        {/* The sandbox allows no scripts and no access to the site's origin. */}
        <iframe className={styles.preview} title={text.previewFrame} sandbox="" srcDoc={message.html} />
      </>
    )}
  </Dialog>
);

const WHEN = toOptions<When>({ now: text.now, later: text.later });

const wordsMissing = ({ subject, body }: MessageDraft) => ({
  ...(subject.trim() === '' && { subject: text.subjectMissing }),
  ...(body.trim() === '' && { body: text.bodyMissing }),
});
