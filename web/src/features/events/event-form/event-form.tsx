import type { Event, EventPage } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { type ReactNode, useState } from 'react';
import { refusedFields } from '../../../api/client';
import { useCommunity } from '../../../api/community';
import { ActionButton } from '../../../ui/action-button';
import { Choice, toOptions } from '../../../ui/choice';
import { Loaded, Refusal } from '../../../ui/feedback';
import { Field, TextArea } from '../../../ui/field';
import { persist } from '../../../ui/persisted-state';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { useMember } from '../../auth/session';
import { eventQuery, type WaitlistOff } from '../shared/events.api';
import { LocationField } from './content-fields';
import { BannerField } from './cover-field';
import { DateTimeFields, PricingFields } from './event-form-fields';
import {
  toCopy,
  type EventFormErrors,
  type EventFormFields,
  eventFormErrors,
  toFormFields,
  hasDates,
  isRangeValid,
  isTold,
  toPayload,
} from './event-fields';
import styles from './event-form.module.css';
import { Earlier, FormDrawer } from './form-drawer';
import { MarkdownField } from '../../editor/markdown-field';
import { MoreOptions } from './more-options';
import { EventConflict, useSubmitEvent, getWaitingCount } from './submit-event';
import { typedKey, useTypedFields } from './typed-fields';

interface EventFormDialogProps {
  event?: Event;
  template?: Event;
  close: () => void;
}

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

/** Loads the complete event, because an event from a list has only some of its fields. */
function WholeEvent({ of, children }: { of: Event; children: (event: EventPage) => ReactNode }) {
  const isWhole = 'content' in of;
  const query = useQuery({ ...eventQuery(of.id), enabled: !isWhole });
  return <Loaded query={isWhole ? { ...query, data: of as EventPage } : query}>{children}</Loaded>;
}

interface EventFormProps {
  event?: EventPage;
  template?: EventPage;
  dismiss: () => void;
  holds?: (changes: boolean) => void;
}

/** Assigns errors of nested fields to form fields, such as 'agenda[3].title' to `agenda`. */
const errorsIn = (refusal: unknown): EventFormErrors =>
  Object.fromEntries(
    Object.entries(refusedFields(refusal)).map(([name, words]) => [
      { 'venue.mapUrl': 'venueMapUrl' }[name] ?? name.replace(/[[.].*/, '').replace('venue', 'location'),
      words,
    ]),
  );

/** Choices that aren't event fields, such as whether to notify guests, are in `useDecisions`. */
export function EventForm({ event, template, dismiss, holds }: EventFormProps) {
  const toasts = useToasts();
  const { timeZone } = useCommunity();
  const { id: userId } = useMember();
  const [initial] = useState(() => (template ? toCopy(timeZone, template) : toFormFields(timeZone, event)));
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
          initial={initial}
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
              change(toFormFields(timeZone, conflict.present));
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

interface Decided {
  notify: boolean | null;
  note: string;
  /** `later` applies the change to this event and to the later ones of its series. */
  scope: 'this' | 'later';
  announce: boolean;
  waitlistOff?: WaitlistOff;
  isOffUnanswered: boolean;
}

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
    isTold(toPayload(fields, timeZone, base), toPayload(toFormFields(timeZone, base), timeZone, base));
  const notify = decided.notify ?? preset;

  // people may have joined the waiting list since the form was opened
  const waiting = getWaitingCount(error) ?? base?.waitingCount ?? 0;
  const asksOff = base?.waitlistEnabled === true && !fields.waitlistEnabled && waiting > 0;

  // for a draft without a publishing time, the publish dialog asks about the announcement
  const willBePublished = event ? event.status === 'draft' && fields.publishAt !== '' : true;
  const mayAnnounce = willBePublished && fields.visibility === 'public' && fields.topics.length > 0;

  return {
    ...decided,
    decide,
    notify,
    registered,
    losingWait: asksOff ? waiting : 0,
    mayAnnounce,
    checkWaitlistOff: () => {
      const isOffUnanswered = asksOff && !waitlistOff;
      decide({ isOffUnanswered });
      return !isOffUnanswered;
    },
    options: () => ({
      ...(mayAnnounce && { announce }),
      ...(registered > 0 && { notify, ...(notify && note.trim() && { note: note.trim() }) }),
      ...(asksOff && { waitlistOff }),
      ...(event?.seriesId && scope === 'later' && { scope }),
    }),
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
  initial: EventFormFields;
  decisions: Decisions;
}

function EventSections({ template, decisions, ...form }: SectionsProps) {
  const { event, fields, errors, change, bind } = form;
  return (
    <>
      <div className={styles.section}>
        <Field label={text.title} autoFocus placeholder={text.titlePlaceholder} {...bind('title')} />
        <MarkdownField
          heading="h3"
          label={text.description}
          placeholder={text.descriptionPlaceholder}
          rows={4}
          {...bind('description')}
        />
        <DateTimeFields fields={fields} errors={errors} change={change} like={template} />
        <div className={styles.place}>
          <LocationField fields={fields} errors={errors} change={change} />
          <Field
            label={text.capacity}
            inputMode="numeric"
            placeholder={text.capacityPlaceholder}
            hint={
              event && event.registrationCount > 0
                ? text.registered({ count: event.registrationCount })
                : undefined
            }
            {...bind('capacity')}
          />
        </div>
        <div className={styles.place}>
          <BannerField fields={fields} change={change} />
          <PricingFields fields={fields} errors={errors} change={change} />
        </div>
      </div>
      <MoreOptions
        {...form}
        waitlistOff={{
          asks: decisions.losingWait,
          off: decisions.waitlistOff,
          choose: (waitlistOff) => decisions.decide({ waitlistOff, isOffUnanswered: false }),
          unanswered: decisions.isOffUnanswered,
        }}
        announcement={
          decisions.mayAnnounce
            ? { checked: decisions.announce, change: (announce) => decisions.decide({ announce }) }
            : undefined
        }
      />
    </>
  );
}

const SCOPES = toOptions<'this' | 'later'>(text.scopes);

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
