import type { Edit, Event } from '@meetmark/contracts';
import { editConflictText as text } from '../../../strings/edit-conflict';
import { formatText } from '../../../strings/events';
import { EditConflict } from '../../../ui/edit-conflict';
import { useFormats } from '../../../ui/use-formats';
import type { EventPayload } from '../events.api';
import { type EventFormFields, fieldsOf, hasDates, payloadOf } from './event-fields';

interface EventConflictProps {
  /** `base`: the event as it was opened. */
  conflict: { edits: Edit[]; present: Event; base: Event };
  fields: EventFormFields;
  saving: boolean;
  saveMine: () => void;
  takeTheirs: () => void;
}

/** What somebody else saved of the event while it was edited here, beside what is typed. */
export function EventConflict({ conflict, fields, ...actions }: EventConflictProps) {
  const formats = useFormats();
  const { edits, present, base } = conflict;
  const opened = payloadOf(fieldsOf(base), base);
  const show = (name: keyof EventPayload, value: unknown) => {
    if (name === 'startDate' || name === 'endDate') return formats.dateTime(value as string);
    if (name === 'price') return formats.price(value as string | null);
    if (name === 'format') return formatText.names[value as EventPayload['format']];
    if (name === 'capacity' && value === null) return text.unlimited;
    if (name === 'bannerImageUrl' && value !== null) return text.picture;
    return undefined;
  };
  return (
    <EditConflict
      edits={edits}
      base={opened}
      mine={hasDates(fields) ? payloadOf(fields, base) : opened}
      theirs={payloadOf(fieldsOf(present), present)}
      show={show}
      {...actions}
    />
  );
}
