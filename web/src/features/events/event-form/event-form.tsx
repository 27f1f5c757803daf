import type { Event, EventPage } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/contracts/texts/event-form';
import { questionsText } from '@meetmark/contracts/texts/questions';
import { eventTopicsText } from '@meetmark/contracts/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { type ReactNode, useState } from 'react';
import { refusedFields } from '../../../api/client';
import { useCommunity } from '../../../api/community';
import { ActionButton } from '../../../ui/action-button';
import { Choice, optionsOf } from '../../../ui/choice';
import { Loaded, Refusal } from '../../../ui/feedback';
import { Field, TextArea } from '../../../ui/field';
import { persist } from '../../../ui/persisted-state';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { useMember } from '../../auth/session';
import { eventQuery, type WaitlistOff } from '../shared/events.api';
import { ContentFields, OnlineFields, VenueFields } from './content-fields';
import { CoverField } from './cover-field';
import {
  DateTimeFields,
  FormatField,
  PricingFields,
  PublishingFields,
  RegistrationWindow,
  Section,
  SwitchField,
  TopicsField,
  WaitlistField,
} from './event-form-fields';
import {
  copyOf,
  type EventFormErrors,
  type EventFormFields,
  eventFormErrors,
  fieldsOf,
  hasDates,
  isRangeValid,
  isTold,
  payloadOf,
} from './event-fields';
import styles from './event-form.module.css';
import { Earlier, FormDrawer } from './form-drawer';
import { MarkdownField } from '../../editor/markdown-field';
import { QuestionsField } from './questions-field';
import { EventConflict, useSubmitEvent, waitingOf } from './submit-event';
import { typedKey, useTypedFields } from './typed-fields';

interface EventFormDialogProps {
  /** The event to edit; without one, an event is created. */
  event?: Event;
  /** A new event begins as a copy of this one, without dates. */
  template?: Event;
  /** The form calls it when it has left the screen: the caller then stops rendering it. */
  close: () => void;
}

/** 'Create New Event' and 'Edit Event', shared by the member's and the administrator's screens. */
export default function EventFormDialog({ event, template, close }: EventFormDialogProps) {
  const { id: userId } = useMember();
  return (
    <FormDrawer
      title={event ? text.editTitle : text.createTitle}
      close={close}
      discarded={() => persist(typedKey(userId, event), null)}
    >
      {(dismiss, holds) =>
        (event ?? template) ? (
          <WholeEvent of={(event ?? template)!}>
            {(whole) => (
              <EventForm
                event={event && whole}
                template={event ? undefined : whole}
                dismiss={dismiss}
                holds={holds}
              />
            )}
          </WholeEvent>
        ) : (
          <EventForm dismiss={dismiss} holds={holds} />
        )
      }
    </FormDrawer>
  );
}

/** Lists hold less of an event than the form edits. */
function WholeEvent({ of, children }: { of: Event; children: (event: EventPage) => ReactNode }) {
  const listed = 'content' in of;
  const query = useQuery({ ...eventQuery(of.id), enabled: !listed });
  return <Loaded query={listed ? { ...query, data: of as EventPage } : query}>{children}</Loaded>;
}

interface EventFormProps {
  event?: EventPage;
  template?: EventPage;
  dismiss: () => void;
  /** The form calls it with whether anything differs from what is saved. */
  holds?: (changes: boolean) => void;
}

/** What the server found wrong, at the field that shows it: 'agenda[3].title' is one of the agenda. */
const errorsIn = (refusal: unknown): EventFormErrors =>
  Object.fromEntries(
    Object.entries(refusedFields(refusal)).map(([name, words]) => [
      { 'venue.mapUrl': 'venueMapUrl' }[name] ?? name.replace(/[[.].*/, '').replace('venue', 'location'),
      words,
    ]),
  );

/**
 * Creates or changes an event. The form owns the fields; `useTypedFields` keeps what was typed over a reload, `useSubmitEvent` saves,
 * and `useDecisions` has the answers that go with a save without being part of the event.
 */
export function EventForm({ event, template, dismiss, holds }: EventFormProps) {
  const toasts = useToasts();
  const { timeZone } = useCommunity();
  const { id: userId } = useMember();
  const [initial] = useState(() => (template ? copyOf(timeZone, template) : fieldsOf(timeZone, event)));
  const { form, fields, errors, change, bind, refuse, submit } = useForm(initial, eventFormErrors);
  const typed = useTypedFields(typedKey(userId, event), initial, fields, holds);
  const leave = () => {
    typed.forget();
    dismiss();
  };
  const { save, isPending, error, refusal, conflict, base } = useSubmitEvent(event, {
    done: leave,
    refused: (refusal) => refuse(errorsIn(refusal)),
  });
  const decisions = useDecisions(event, fields, { base, error });

  /** Checks what concerns several fields, and the decisions. */
  const isInOrder = (valid: EventFormFields) => {
    if (isRangeValid(valid)) return decisions.checkWaitlistOff();
    toasts.error(text.invalidRange, text.invalidRangeDetail);
    refuse({ [valid.isAllDay ? 'endDate' : 'endTime']: text.invalidRangeDetail });
    return false;
  };
  const saveIfInOrder = submit((valid) => {
    if (isInOrder(valid)) save(valid, decisions.options());
  });
  const saveDraft = submit((valid) => {
    if (isInOrder(valid)) save(valid, decisions.draftOptions());
  });
  const saveMine = () => {
    const found = eventFormErrors(fields);
    if (Object.keys(found).length > 0) return refuse(found);
    if (isInOrder(fields)) conflict?.saveMine(fields, decisions.options());
  };

  return (
    <form ref={form} className={styles.form} onSubmit={saveIfInOrder} noValidate>
      <div className={styles.scroll}>
        <Earlier typed={typed} change={change} />
        <EventSections
          event={event}
          template={template}
          fields={fields}
          errors={errors}
          change={change}
          bind={bind}
          decisions={decisions}
        />
      </div>
      <div className={styles.foot}>
        {refusal && <Refusal>{refusal}</Refusal>}
        {conflict && (
          <EventConflict
            conflict={conflict}
            fields={fields}
            saving={isPending}
            saveMine={saveMine}
            takeTheirs={() => {
              change(fieldsOf(timeZone, conflict.present));
              conflict.takeTheirs();
            }}
          />
        )}
        <ScopeAndMail event={event} decisions={decisions} />
        <div className={styles.buttons}>
          <Button onClick={leave}>{text.cancel}</Button>
          {!event && (
            <ActionButton inactive={isPending} onClick={saveDraft}>
              {text.saveDraft}
            </ActionButton>
          )}
          <ActionButton type="primary" htmlType="submit" inactive={isPending}>
            {event ? (isPending ? text.updating : text.update) : isPending ? text.creating : text.create}
          </ActionButton>
        </div>
      </div>
    </form>
  );
}

/** What the organiser decides beside the fields. It goes with a save and is not part of the event. */
interface Decided {
  /** Whether registered people get a mail about the change; null until the organiser chooses. */
  notify: boolean | null;
  /** The organiser's own words in that mail. */
  note: string;
  /** Whether the later events of a series change as well. */
  scope: 'this' | 'later';
  /** Whether the followers of its topics get a mail when the event is published. */
  announce: boolean;
  /** What happens to people on the waiting list when it is turned off. */
  waitlistOff?: WaitlistOff;
  /** Whether a save was tried without that answer. */
  isOffUnanswered: boolean;
}

/** Keeps the decisions of one form, and says which of them the event and its fields ask for. */
function useDecisions(
  event: EventPage | undefined,
  fields: EventFormFields,
  { base, error }: Pick<ReturnType<typeof useSubmitEvent>, 'base' | 'error'>,
) {
  const { timeZone } = useCommunity();
  const [decided, setDecided] = useState<Decided>({
    notify: null,
    note: '',
    scope: 'this',
    announce: event?.announcement === 'planned',
    isOffUnanswered: false,
  });
  const decide = (changed: Partial<Decided>) => setDecided((current) => ({ ...current, ...changed }));
  const { note, scope, announce, waitlistOff } = decided;

  const registered = event?.status === 'published' ? event.registrationCount : 0;
  const preset =
    base !== undefined &&
    hasDates(fields) &&
    isTold(payloadOf(fields, timeZone, base), payloadOf(fieldsOf(timeZone, base), timeZone, base));
  const notify = decided.notify ?? preset;

  // People may have joined the waiting list since the form was opened.
  const waiting = waitingOf(error) ?? base?.waitingCount ?? 0;
  const asksOff = base?.waitlistEnabled === true && !fields.waitlistEnabled && waiting > 0;

  // The dialog that publishes a draft asks about one without a moment of publishing.
  const isPublished = event ? event.status === 'draft' && fields.publishAt !== '' : true;
  const mayAnnounce = isPublished && fields.visibility === 'public' && fields.topics.length > 0;

  return {
    ...decided,
    decide,
    notify,
    /** How many people a mail about the change would reach. */
    registered,
    /** How many people `waitlistOff` is about; none unless it has to be chosen. */
    losingWait: asksOff ? waiting : 0,
    mayAnnounce,
    /** Marks the question of the waiting list when it is unanswered. */
    checkWaitlistOff: () => {
      const isOffUnanswered = asksOff && !waitlistOff;
      decide({ isOffUnanswered });
      return !isOffUnanswered;
    },
    /** What goes with the save. */
    options: () => ({
      ...(mayAnnounce && { announce }),
      ...(registered > 0 && { notify, ...(notify && note.trim() && { note: note.trim() }) }),
      ...(asksOff && { waitlistOff }),
      ...(event?.seriesId && scope === 'later' && { scope }),
    }),
    /** The same for an event that is saved as a draft. */
    draftOptions: () => ({
      status: 'draft' as const,
      ...(mayAnnounce && fields.publishAt && { announce }),
    }),
  };
}

type Decisions = ReturnType<typeof useDecisions>;

interface SectionsProps
  extends
    Pick<EventFormProps, 'event' | 'template'>,
    Pick<ReturnType<typeof useForm<EventFormFields>>, 'fields' | 'errors' | 'change' | 'bind'> {
  decisions: Decisions;
}

/** All fields of the form, in the order in which an organiser thinks of them. */
function EventSections({ event, template, decisions, fields, errors, change, bind }: SectionsProps) {
  return (
    <>
      <Section title={text.sections.cover} help="eventCover">
        <CoverField fields={fields} change={change} />
      </Section>
      <Section title={text.sections.what} help="eventWhat">
        <Field label={text.title} autoFocus placeholder={text.titlePlaceholder} {...bind('title')} />
        <MarkdownField
          label={text.description}
          placeholder={text.descriptionPlaceholder}
          {...bind('description')}
        />
        <TopicsField topics={fields.topics} error={errors.topics} change={(topics) => change({ topics })} />
      </Section>
      <Section title={text.sections.when} help="eventWhen">
        <DateTimeFields fields={fields} errors={errors} change={change} like={template} />
        <RegistrationWindow opens={bind('registrationOpensAt')} closes={bind('registrationClosesAt')} />
      </Section>
      <Section title={text.sections.where} help="eventWhere">
        <FormatField format={fields.format} change={change} />
        <VenueFields fields={fields} errors={errors} change={change} />
        <OnlineFields fields={fields} errors={errors} change={change} />
        <TextArea
          label={text.accessibility}
          placeholder={text.accessibilityPlaceholder}
          maxLength={LIMITS.note}
          rows={3}
          {...bind('accessibility')}
        />
      </Section>
      <Section title={text.sections.places} help="eventPlaces">
        <Field
          label={text.capacity}
          type="number"
          min={1}
          step={1}
          placeholder={text.capacityPlaceholder}
          hint={
            event && event.registrationCount > 0
              ? text.registered({ count: event.registrationCount })
              : undefined
          }
          {...bind('capacity')}
        />
        <WaitlistField
          enabled={fields.waitlistEnabled}
          change={(waitlistEnabled) => change({ waitlistEnabled })}
          asks={decisions.losingWait}
          off={decisions.waitlistOff}
          choose={(waitlistOff) => decisions.decide({ waitlistOff, isOffUnanswered: false })}
          unanswered={decisions.isOffUnanswered}
        />
        <PricingFields fields={fields} errors={errors} change={change} />
      </Section>
      <Section title={questionsText.editor.section} help="eventQuestions">
        <QuestionsField
          eventId={event?.id}
          questions={fields.questions}
          error={errors.questions}
          change={(questions) => change({ questions })}
        />
      </Section>
      <Section title={text.sections.content} help="eventContent">
        <ContentFields eventId={event?.id} fields={fields} errors={errors} change={change} />
      </Section>
      <Section title={text.sections.publishing} help="eventPublishing">
        <PublishingFields
          visibility={fields.visibility}
          change={change}
          later={!event || event.status === 'draft' ? bind('publishAt') : undefined}
        />
        {decisions.mayAnnounce && (
          <SwitchField
            label={eventTopicsText.announce}
            hint={eventTopicsText.announceHint}
            checked={decisions.announce}
            change={(announce) => decisions.decide({ announce })}
          />
        )}
      </Section>
    </>
  );
}

const SCOPES = optionsOf<'this' | 'later'>(text.scopes);

/** Asks which events of a series change, and whether registered people get a mail about it. */
function ScopeAndMail({ event, decisions }: { event: EventPage | undefined; decisions: Decisions }) {
  const { scope, registered, notify, note, decide } = decisions;
  return (
    <>
      {event?.seriesId && (
        <div className={styles.row}>
          <Choice label={text.scope} options={SCOPES} value={scope} change={(scope) => decide({ scope })} />
        </div>
      )}
      {registered > 0 && (
        <Checkbox checked={notify} onChange={({ target }) => decide({ notify: target.checked })}>
          {text.tell({ registered })}
        </Checkbox>
      )}
      {registered > 0 && notify && (
        <TextArea
          label={text.note}
          placeholder={text.notePlaceholder}
          maxLength={LIMITS.note}
          rows={2}
          value={note}
          onChange={(note) => decide({ note })}
        />
      )}
    </>
  );
}
