import type { Edit, EventPage, Venue } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { commonText } from '@meetmark/i18n/texts/common';
import { editConflictText } from '@meetmark/i18n/texts/edit-conflict';
import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { formatText } from '@meetmark/i18n/texts/events';
import { questionsText } from '@meetmark/i18n/texts/questions';
import { use, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { getErrorDetails, hasCode } from '../../../api/client';
import { useCommunity } from '../../../api/community';
import { useOnce } from '../../../ui/action-button';
import { changesSince, EditConflict, getEditConflict } from '../../../ui/edit-conflict';
import { ToastContext, useToasts } from '../../../ui/toasts';
import { AT_PLACE } from '../../../ui/event-times';
import { useFormats } from '../../../ui/use-formats';
import { whatToDo } from '../../../ui/what-to-do';
import { useLoggedOutRedirect } from '../../auth/session';
import { type EventChange, type EventPayload, useSaveEvent } from '../shared/events.api';
import { patternName } from './cover-field';
import { type EventFormFields, toFormFields, hasDates, toPayload } from './event-fields';

const isLoggedOut = (error: Error) => hasCode(error, 'UNAUTHORIZED');

export function getWaitingCount(error: unknown): number | null {
  const refusal = getErrorDetails(error, 'WAITLIST_NOT_EMPTY');
  return refusal ? (refusal.waiting ?? 1) : null;
}

function getAnsweredText(error: unknown): string | null {
  const refusal = getErrorDetails(error, 'QUESTION_ANSWERED');
  return refusal ? questionsText.editor.answered({ label: refusal.question ?? '' }) : null;
}

interface Outcomes {
  done: () => void;
  refused: (error: Error) => void;
}

type Saving = Pick<EventChange, 'status' | 'announce' | 'notify' | 'note' | 'waitlistOff' | 'scope'>;

export function useSubmitEvent(event: EventPage | undefined, { done, refused }: Outcomes) {
  const toasts = useToasts();
  const { timeZone } = useCommunity();
  const { eventMoment } = useFormats();
  const navigate = useNavigate();
  const show = use(ToastContext);
  const leaveForLogin = useLoggedOutRedirect();
  const saving = useSaveEvent(event?.id);
  const saveOnce = useOnce(saving);
  const [base, setBase] = useState(event); // the edited version; `event` may be replaced by a newer one
  const conflict = getEditConflict<EventPage>(saving.error);
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
        show({
          kind: 'success',
          title: commonText.success,
          description: outcome(saved),
          action: { label: text.openEvent, run: () => void navigate(eventPath(saved)) },
        });
        done();
      },
      onError: (error) => {
        if (isLoggedOut(error)) return leaveForLogin();
        if (getEditConflict(error) || getWaitingCount(error) !== null) return undefined;
        toasts.error(commonText.error, event ? text.updateFailed : text.createFailed);
        return refused(error);
      },
    });
  return {
    save: (fields: EventFormFields, options: Saving) => {
      const payload = toPayload(fields, timeZone, base);
      const status = event ? undefined : payload.publishAt ? 'draft' : options.status;
      save({ ...payload, ...options, ...(status && { status }), version: base?.version });
    },
    base,
    error: saving.error,
    isPending: saving.isPending,
    refusal:
      saving.error && !conflict && getWaitingCount(saving.error) === null && !isLoggedOut(saving.error)
        ? (getAnsweredText(saving.error) ?? whatToDo(saving.error))
        : null,
    conflict: conflict &&
      base && {
        ...conflict,
        base,
        saveMine: (fields: EventFormFields, options: Saving) =>
          save({
            ...changesSince(
              toPayload(toFormFields(timeZone, base), timeZone, base),
              toPayload(fields, timeZone, base),
            ),
            ...options,
            version: conflict.present.version,
          }),
        takeTheirs: () => {
          setBase(conflict.present);
          saving.reset();
        },
      },
  };
}

interface EventConflictProps {
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

export function EventConflict({ conflict, fields, ...actions }: EventConflictProps) {
  const formats = useFormats();
  const { edits, present, base } = conflict;
  const { timeZone } = useCommunity();
  const toValues = (event: EventPage) => toPayload(toFormFields(timeZone, event), timeZone, event);
  const opened = toValues(base);
  const show = (name: keyof EventPayload, value: unknown) => {
    // shows both versions in the same time zone, so that readers can compare them
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
      mine={hasDates(fields) ? toPayload(fields, timeZone, base) : opened}
      theirs={toValues(present)}
      show={show}
      {...actions}
    />
  );
}
