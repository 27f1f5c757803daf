import type { EventFormat, Venue } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/contracts/texts/event-form';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useDeferredValue, useId } from 'react';
import { Field, TextArea } from '../../../ui/field';
import { venuesQuery } from '../shared/events.api';
import type { EventFormErrors, EventFormFields } from './event-fields';
import { FieldError } from './event-form-fields';
import styles from './event-form.module.css';
import { MarkdownField } from '../../editor/markdown-field';
import { HostsField, MemberSpeaker } from './member-fields';

interface PartProps {
  fields: EventFormFields;
  errors: EventFormErrors;
  change: (changed: Partial<EventFormFields>) => void;
}

/** The place in a line, with the venues that events had as suggestions; what else is known of it folds out. */
export function VenueFields({ fields, errors, change }: PartProps) {
  const listId = useId();
  const q = useDeferredValue(fields.location.trim());
  const { data: venues = [] } = useQuery(venuesQuery(q));
  const known = (name: string) => venues.find((venue) => lineOf(venue) === name || venue.name === name);
  const choose = (location: string) => {
    const venue = known(location);
    // A suggestion brings what is known of it, unless something was typed already.
    if (venue && !fields.venueAddress && !fields.venueNote && !fields.venueMapUrl)
      return change({
        location: venue.name,
        venueAddress: venue.address ?? '',
        venueNote: venue.note ?? '',
        venueMapUrl: venue.mapUrl ?? '',
      });
    return change({ location });
  };
  return (
    <>
      <Field
        label={text.location}
        placeholder={text.locationPlaceholder}
        maxLength={LIMITS.location}
        list={listId}
        value={fields.location}
        error={errors.location}
        onChange={choose}
      />
      <datalist id={listId}>
        {venues.map((venue) => (
          <option key={lineOf(venue)} value={lineOf(venue)} />
        ))}
      </datalist>
      {fields.format !== 'online' && fields.location.trim() && (
        <>
          <Field
            label={text.venueAddress}
            autoComplete="off"
            maxLength={LIMITS.location}
            value={fields.venueAddress}
            onChange={(venueAddress) => change({ venueAddress })}
          />
          <TextArea
            label={text.venueNote}
            placeholder={text.venueNotePlaceholder}
            maxLength={LIMITS.note}
            rows={2}
            value={fields.venueNote}
            onChange={(venueNote) => change({ venueNote })}
          />
          <Field
            label={text.venueMapUrl}
            type="url"
            hint={text.venueMapUrlHint}
            maxLength={LIMITS.url}
            value={fields.venueMapUrl}
            error={errors.venueMapUrl}
            onChange={(venueMapUrl) => change({ venueMapUrl })}
          />
        </>
      )}
    </>
  );
}

const lineOf = ({ name, address }: Venue) => (address ? `${name}, ${address}` : name);

const isRemote = (format: EventFormat) => format !== 'in_person';

/** How one joins from afar. */
export function OnlineFields({ fields, errors, change }: PartProps) {
  if (!isRemote(fields.format)) return null;
  return (
    <>
      <Field
        label={text.onlineUrl}
        type="url"
        placeholder="https://"
        hint={text.onlineUrlHint}
        maxLength={LIMITS.url}
        value={fields.onlineUrl}
        error={errors.onlineUrl}
        onChange={(onlineUrl) => change({ onlineUrl })}
      />
      <TextArea
        label={text.onlineNote}
        placeholder={text.onlineNotePlaceholder}
        maxLength={LIMITS.note}
        rows={2}
        value={fields.onlineNote}
        onChange={(onlineNote) => change({ onlineNote })}
      />
    </>
  );
}

interface RowsProps<Row> {
  title: string;
  add: string;
  remove: (values: { at: number }) => string;
  rows: Row[];
  max: number;
  empty: () => Row;
  change: (rows: Row[]) => void;
  children: (row: Row, set: (changed: Partial<Row>) => void, at: number) => ReactNode;
  error?: string;
  /** Another way to add one. */
  further?: ReactNode;
}

/** Things of one kind, as many as there are. */
function Rows<Row extends object>({
  title,
  add,
  remove,
  rows,
  max,
  empty,
  change,
  children,
  error,
  further,
}: RowsProps<Row>) {
  return (
    <fieldset className={styles.rows}>
      <legend>{title}</legend>
      {rows.map((row, at) => (
        // Rows have no name but their place: they are not sorted while they are edited.
        <div key={at} className={styles.rowFields} role="group" aria-label={`${title} ${at + 1}`}>
          {children(
            row,
            (changed) =>
              change(rows.map((other, index) => (index === at ? { ...other, ...changed } : other))),
            at,
          )}
          <Button
            type="text"
            aria-label={remove({ at: at + 1 })}
            onClick={() => change(rows.filter((_, index) => index !== at))}
          >
            {text.removeRow}
          </Button>
        </div>
      ))}
      <FieldError>{error}</FieldError>
      {rows.length < max && <Button onClick={() => change([...rows, empty()])}>{add}</Button>}
      {rows.length < max && further}
    </fieldset>
  );
}

/** What happens, who speaks, and what is left of it afterwards. */
export function ContentFields({ eventId, ...part }: PartProps & { eventId: string | undefined }) {
  const { fields, errors, change } = part;
  return (
    <>
      <AgendaField {...part} />
      <HostsField
        eventId={eventId}
        hosts={fields.hosts}
        error={errors.hosts}
        change={(hosts) => change({ hosts })}
      />
      <SpeakersField eventId={eventId} {...part} />
      <ResourcesField {...part} />
      <MarkdownField label={text.recap} value={fields.recap} onChange={(recap) => change({ recap })} />
    </>
  );
}

/** The parts of the event with their times; a new one begins when the one before it ends. */
function AgendaField({ fields, errors, change }: PartProps) {
  const start = fields.startDate && `${fields.startDate}T${fields.startTime || '09:00'}`;
  return (
    <Rows
      title={text.agenda}
      add={text.addAgenda}
      remove={text.removeAgenda}
      rows={fields.agenda}
      max={LIMITS.agenda}
      empty={() => {
        const last = fields.agenda.at(-1);
        return { startsAt: last?.endsAt || last?.startsAt || start, endsAt: '', title: '', note: '' };
      }}
      change={(agenda) => change({ agenda })}
      error={errors.agenda}
    >
      {(item, set) => (
        <>
          <Field
            label={text.agendaTitle}
            maxLength={LIMITS.agendaTitle}
            value={item.title}
            onChange={(title) => set({ title })}
          />
          <div className={styles.window}>
            <Field
              label={text.agendaStart}
              type="datetime-local"
              value={item.startsAt}
              onChange={(startsAt) => set({ startsAt })}
            />
            <Field
              label={text.agendaEnd}
              type="datetime-local"
              value={item.endsAt}
              onChange={(endsAt) => set({ endsAt })}
            />
          </div>
          <TextArea
            label={text.agendaNote}
            maxLength={LIMITS.note}
            rows={2}
            value={item.note}
            onChange={(note) => set({ note })}
          />
        </>
      )}
    </Rows>
  );
}

/** Members, whose name the account says, and people from elsewhere. */
function SpeakersField({ eventId, fields, errors, change }: PartProps & { eventId: string | undefined }) {
  return (
    <Rows
      title={text.speakers}
      add={text.addSpeaker}
      remove={text.removeSpeaker}
      rows={fields.speakers}
      max={LIMITS.speakers}
      empty={() => ({ name: '', role: '', bio: '', linkUrl: '', userId: '' })}
      change={(speakers) => change({ speakers })}
      error={errors.speakers}
      further={
        <MemberSpeaker
          eventId={eventId}
          taken={fields.speakers.map(({ userId }) => userId)}
          choose={({ id, name }) =>
            change({
              speakers: [...fields.speakers, { name, role: '', bio: '', linkUrl: '', userId: id }],
            })
          }
        />
      }
    >
      {(speaker, set) => (
        <>
          <div className={styles.window}>
            <Field
              label={text.speakerName}
              autoComplete="off"
              readOnly={speaker.userId !== ''}
              maxLength={LIMITS.name}
              value={speaker.name}
              onChange={(name) => set({ name })}
            />
            <Field
              label={text.speakerRole}
              maxLength={LIMITS.agendaTitle}
              value={speaker.role}
              onChange={(role) => set({ role })}
            />
          </div>
          <TextArea
            label={text.speakerBio}
            maxLength={LIMITS.bio}
            rows={2}
            value={speaker.bio}
            onChange={(bio) => set({ bio })}
          />
          {speaker.userId === '' && (
            <Field
              label={text.speakerLink}
              type="url"
              placeholder="https://"
              maxLength={LIMITS.url}
              value={speaker.linkUrl}
              onChange={(linkUrl) => set({ linkUrl })}
            />
          )}
        </>
      )}
    </Rows>
  );
}

/** Links to slides and the like. */
function ResourcesField({ fields, errors, change }: PartProps) {
  return (
    <Rows
      title={text.resources}
      add={text.addResource}
      remove={text.removeResource}
      rows={fields.resources}
      max={LIMITS.resources}
      empty={() => ({ title: '', url: '' })}
      change={(resources) => change({ resources })}
      error={errors.resources}
    >
      {(resource, set) => (
        <div className={styles.window}>
          <Field
            label={text.resourceTitle}
            maxLength={LIMITS.agendaTitle}
            value={resource.title}
            onChange={(title) => set({ title })}
          />
          <Field
            label={text.resourceUrl}
            type="url"
            placeholder="https://"
            maxLength={LIMITS.url}
            value={resource.url}
            onChange={(url) => set({ url })}
          />
        </div>
      )}
    </Rows>
  );
}
