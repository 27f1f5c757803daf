import type { Edit, EventPage, Venue } from '@meetmark/contracts';
import { commonText } from '@meetmark/contracts/texts/common';
import { editConflictText } from '@meetmark/contracts/texts/edit-conflict';
import { eventFormText as text } from '@meetmark/contracts/texts/event-form';
import { formatText } from '@meetmark/contracts/texts/events';
import { questionsText } from '@meetmark/contracts/texts/questions';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { detailsOf, hasCode } from '../../../api/client';
import { useCommunity } from '../../../api/community';
import { useOnce } from '../../../ui/action-button';
import { changesSince, EditConflict, editConflictOf } from '../../../ui/edit-conflict';
import { useToasts } from '../../../ui/toasts';
import { AT_PLACE } from '../../../ui/event-times';
import { useFormats } from '../../../ui/use-formats';
import { whatToDo } from '../../../ui/what-to-do';
import { useLoggedOutRedirect } from '../../auth/session';
import { type EventChange, type EventPayload, useSaveEvent } from '../shared/events.api';
import { patternName } from './cover-field';
import { type EventFormFields, fieldsOf, hasDates, payloadOf, sentOf } from './event-fields';

/** The only failure of a save that leads to the login. */
const isLoggedOut = (error: Error) => hasCode(error, 'UNAUTHORIZED');

/** How many people wait, when the server refused a save because of them; else null. */
export function waitingOf(error: unknown): number | null {
  const refusal = detailsOf(error, 'WAITLIST_NOT_EMPTY');
  return refusal ? (refusal.waiting ?? 1) : null;
}

/** The sentence about a question that cannot change because it was answered meanwhile; else null. */
function answeredOf(error: unknown): string | null {
  const refusal = detailsOf(error, 'QUESTION_ANSWERED');
  return refusal ? questionsText.editor.answered({ label: refusal.question ?? '' }) : null;
}

interface Outcomes {
  done: () => void;
  refused: (error: Error) => void;
}

/** How a form is saved, beside its fields. */
type Saving = Pick<EventChange, 'status' | 'announce' | 'notify' | 'note' | 'waitlistOff' | 'scope'>;

/**
 * Saves the form and shows the outcome; the workspace of a new event opens. `refusal` says beside the fields why it failed and what can be
 * done. `conflict`: another administrator has saved the event since it was opened.
 */
export function useSubmitEvent(event: EventPage | undefined, { done, refused }: Outcomes) {
  const toasts = useToasts();
  const { timeZone } = useCommunity();
  const { eventMoment } = useFormats();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const leaveForLogin = useLoggedOutRedirect();
  const saving = useSaveEvent(event?.id);
  const saveOnce = useOnce(saving);
  const [base, setBase] = useState(event); // the list behind the form may learn of newer ones meanwhile
  const conflict = editConflictOf<EventPage>(saving.error);
  const outcome = ({ status, publishAt, timeZone: own }: EventPage) => {
    if (event) return text.updated;
    if (status !== 'draft') return text.created;
    return publishAt
      ? text.scheduled({ moment: eventMoment({ ...AT_PLACE, timeZone: own }, publishAt) })
      : text.draftSaved;
  };
  const save = (change: EventChange) =>
    saveOnce(change, {
      onSuccess: (saved) => {
        toasts.success(commonText.success, outcome(saved));
        done();
        // Going back leads to the list, not to an empty form.
        if (!event) void navigate(`/admin/events/${saved.id}`, { replace: search.has('create') });
      },
      onError: (error) => {
        if (isLoggedOut(error)) return leaveForLogin();
        if (editConflictOf(error) || waitingOf(error) !== null) return undefined;
        toasts.error(commonText.error, event ? text.updateFailed : text.createFailed);
        return refused(error);
      },
    });
  return {
    save: (fields: EventFormFields, options: Saving) => {
      const payload = payloadOf(fields, timeZone, base);
      // Only a draft can publish itself.
      const status = event ? undefined : payload.publishAt ? 'draft' : options.status;
      save({ ...sentOf(payload, base), ...options, ...(status && { status }), version: base?.version });
    },
    base,
    error: saving.error,
    isPending: saving.isPending,
    refusal:
      saving.error && !conflict && waitingOf(saving.error) === null && !isLoggedOut(saving.error)
        ? (answeredOf(saving.error) ?? whatToDo(saving.error))
        : null,
    conflict: conflict &&
      base && {
        ...conflict,
        base,
        /** Sends only what was changed here, so that the other person's changes stay. */
        saveMine: (fields: EventFormFields, options: Saving) =>
          save({
            ...changesSince(
              payloadOf(fieldsOf(timeZone, base), timeZone, base),
              payloadOf(fields, timeZone, base),
            ),
            ...options,
            version: conflict.present.version,
          }),
        /** Continues from the saved event. */
        takeTheirs: () => {
          setBase(conflict.present);
          saving.reset();
        },
      },
  };
}

interface EventConflictProps {
  /** `base`: the event when the form opened. */
  conflict: { edits: Edit[]; present: EventPage; base: EventPage };
  fields: EventFormFields;
  saving: boolean;
  saveMine: () => void;
  takeTheirs: () => void;
}

const MOMENTS: (keyof EventPayload)[] = [
  'startDate',
  'endDate',
  'registrationOpensAt',
  'registrationClosesAt',
  'publishAt',
];

/** What another administrator saved of the event, beside what is typed here. */
export function EventConflict({ conflict, fields, ...actions }: EventConflictProps) {
  const formats = useFormats();
  const { edits, present, base } = conflict;
  const { timeZone } = useCommunity();
  const valuesOf = (event: EventPage) => payloadOf(fieldsOf(timeZone, event), timeZone, event);
  const opened = valuesOf(base);
  const show = (name: keyof EventPayload, value: unknown) => {
    // of both on one clock, so that they can be compared
    if (MOMENTS.includes(name) && value !== null)
      return formats.eventMoment({ ...AT_PLACE, timeZone: present.timeZone }, value as string);
    if (name === 'visibility') return text.visibilities[value as EventPayload['visibility']];
    if (name === 'price') return formats.price(value as string | null);
    if (name === 'format') return formatText.names[value as EventPayload['format']];
    if (name === 'capacity' && value === null) return editConflictText.unlimited;
    if (Array.isArray(value)) return editConflictText.entries({ count: value.length });
    if (name === 'venue' && value) return (value as Venue).name;
    if (name === 'bannerImageUrl' && value !== null) return editConflictText.picture;
    if (name === 'coverPattern' && value !== null) return patternName(value as number);
    if (name === 'coverSquare' || name === 'coverWide')
      return value === null ? editConflictText.middle : editConflictText.part;
    return undefined;
  };
  return (
    <EditConflict
      edits={edits}
      base={opened}
      mine={hasDates(fields) ? payloadOf(fields, timeZone, base) : opened}
      theirs={valuesOf(present)}
      show={show}
      {...actions}
    />
  );
}
