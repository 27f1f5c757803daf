import type { EventFormat, Venue } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useDeferredValue, useId } from 'react';
import { dateError } from '../../../ui/date-input';
import { DateField } from '../../../ui/date-field';
import { Field, TextArea } from '../../../ui/field';
import { bindTo } from '../../../ui/use-form';
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

export function LocationField({ fields, errors, change }: PartProps) {
  const listId = useId();
  const q = useDeferredValue(fields.location.trim());
  const { data: venues = [] } = useQuery(venuesQuery(q));
  const known = (name: string) => venues.find((venue) => formatVenue(venue) === name || venue.name === name);
  const choose = (location: string) => {
    const venue = known(location);
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
          <option key={formatVenue(venue)} value={formatVenue(venue)} />
        ))}
      </datalist>
    </>
  );
}

export function VenueDetails({ fields, errors, change }: PartProps) {
  const bind = bindTo(fields, errors, change);
  if (fields.format === 'online') return null;
  return (
    <>
      <Field
        label={text.venueAddress}
        autoComplete="off"
        maxLength={LIMITS.location}
        {...bind('venueAddress')}
      />
      <TextArea
        label={text.venueNote}
        placeholder={text.venueNotePlaceholder}
        maxLength={LIMITS.note}
        rows={2}
        {...bind('venueNote')}
      />
      <Field
        label={text.venueMapUrl}
        type="url"
        hint={text.venueMapUrlHint}
        maxLength={LIMITS.url}
        {...bind('venueMapUrl')}
      />
    </>
  );
}

const formatVenue = ({ name, address }: Venue) => (address ? `${name}, ${address}` : name);

const isRemote = (format: EventFormat) => format !== 'in_person';

export function OnlineFields({ fields, errors, change }: PartProps) {
  const bind = bindTo(fields, errors, change);
  if (!isRemote(fields.format)) return null;
  return (
    <>
      <Field
        label={text.onlineUrl}
        type="url"
        placeholder="https://"
        hint={text.onlineUrlHint}
        maxLength={LIMITS.url}
        {...bind('onlineUrl')}
      />
      <TextArea
        label={text.onlineNote}
        placeholder={text.onlineNotePlaceholder}
        maxLength={LIMITS.note}
        rows={2}
        {...bind('onlineNote')}
      />
    </>
  );
}

interface RowsProps<Row extends object> {
  title: string;
  add: string;
  remove: (values: { at: number }) => string;
  rows: Row[];
  max: number;
  empty: () => Row;
  change: (rows: Row[]) => void;
  children: (row: Row, bind: ReturnType<typeof bindTo<Row>>) => ReactNode;
  error?: string;
  further?: ReactNode;
}

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
        // keyed by position, because rows aren't reordered during editing
        <div key={at} className={styles.rowFields} role="group" aria-label={`${title} ${at + 1}`}>
          {children(
            row,
            bindTo(row, {}, (changed) => change(rows.with(at, { ...row, ...changed }))),
          )}
          <Button
            type="text"
            aria-label={remove({ at: at + 1 })}
            onClick={() => change(rows.toSpliced(at, 1))}
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
      {(item, bind) => (
        <>
          <Field label={text.agendaTitle} maxLength={LIMITS.agendaTitle} {...bind('title')} />
          <div className="columns columns-widest">
            <DateField
              label={text.agendaStart}
              type="datetime-local"
              {...bind('startsAt')}
              error={errors.agenda && dateError(item.startsAt)}
            />
            <DateField
              label={text.agendaEnd}
              type="datetime-local"
              {...bind('endsAt')}
              error={errors.agenda && dateError(item.endsAt)}
            />
          </div>
          <TextArea label={text.agendaNote} maxLength={LIMITS.note} rows={2} {...bind('note')} />
        </>
      )}
    </Rows>
  );
}

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
      {(speaker, bind) => (
        <>
          <div className="columns columns-widest">
            <Field
              label={text.speakerName}
              autoComplete="off"
              readOnly={speaker.userId !== ''}
              maxLength={LIMITS.name}
              {...bind('name')}
            />
            <Field label={text.speakerRole} maxLength={LIMITS.agendaTitle} {...bind('role')} />
          </div>
          <TextArea label={text.speakerBio} maxLength={LIMITS.bio} rows={2} {...bind('bio')} />
          {speaker.userId === '' && (
            <Field
              label={text.speakerLink}
              type="url"
              placeholder="https://"
              maxLength={LIMITS.url}
              {...bind('linkUrl')}
            />
          )}
        </>
      )}
    </Rows>
  );
}

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
      {(_, bind) => (
        <div className="columns columns-widest">
          <Field label={text.resourceTitle} maxLength={LIMITS.agendaTitle} {...bind('title')} />
          <Field
            label={text.resourceUrl}
            type="url"
            placeholder="https://"
            maxLength={LIMITS.url}
            {...bind('url')}
          />
        </div>
      )}
    </Rows>
  );
}
