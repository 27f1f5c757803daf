import type { EventPage, EventVisibility } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { formatText } from '@meetmark/i18n/texts/events';
import { currentZoneName, formerZoneNames, zoneNames } from '@meetmark/contracts/zone-names';
import { eventTopicsText } from '@meetmark/i18n/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { Button, Radio, Select, Switch } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useCommunity } from '../../../api/community';
import { ChevronDownIcon } from '../../../ui/icons';
import { Choice, toOptions } from '../../../ui/choice';
import { Refusal } from '../../../ui/feedback';
import { DateField } from '../../../ui/date-field';
import { Field, Labelled } from '../../../ui/field';
import { bindTo } from '../../../ui/use-form';
import { TopicChips } from '../../topics/topic-chips';
import { topicsQuery } from '../../topics/topics.api';
import { getPaymentNote } from '../shared/event';
import type { WaitlistOff } from '../shared/events.api';
import {
  endAfter,
  type EventFormErrors,
  type EventFormFields,
  toFormFields,
  getDuration,
} from './event-fields';
import styles from './event-form.module.css';

export const FieldError = ({ children }: { children?: ReactNode }) =>
  children && (
    <p className={styles.error} role="alert">
      {children}
    </p>
  );

interface TopicsFieldProps {
  topics: string[];
  error?: string;
  change: (topics: string[]) => void;
}

export function TopicsField({ topics, error, change }: TopicsFieldProps) {
  const { data: all = [] } = useQuery(topicsQuery);
  if (all.length === 0) return null;
  return (
    <div className={styles.rows}>
      <div>
        <span className={styles.label} aria-hidden="true">
          {eventTopicsText.label}
        </span>
        <p className="soft small">{eventTopicsText.hint}</p>
      </div>
      <TopicChips
        label={eventTopicsText.label}
        topics={all}
        chosen={topics}
        most={LIMITS.eventTopics}
        turn={({ id }, on) => change(on ? [...topics, id] : topics.filter((each) => each !== id))}
      />
      <FieldError>{error}</FieldError>
    </div>
  );
}

interface SwitchFieldProps {
  label: string;
  hint?: string;
  checked: boolean;
  change: (checked: boolean) => void;
}

export function SwitchField({ label, hint, checked, change }: SwitchFieldProps) {
  const id = useId();
  return (
    <div className={styles.switch}>
      <Switch
        id={id}
        checked={checked}
        onChange={change}
        aria-label={label}
        aria-describedby={hint && `${id}-hint`}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="soft small">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

interface DateTimeFieldsProps {
  fields: EventFormFields;
  errors: EventFormErrors;
  change: (changed: Partial<EventFormFields>) => void;
  like?: EventPage;
}

export function DateTimeFields({ fields, errors, change, like }: DateTimeFieldsProps) {
  const { timeZone } = useCommunity();
  const [length, setLength] = useState(() => getDuration(like ? toFormFields(timeZone, like) : fields));
  const changeStart = (start: Partial<EventFormFields>) =>
    change({ ...start, ...(length !== null && endAfter({ ...fields, ...start }, length)) });
  const changeEnd = (end: Partial<EventFormFields>) => {
    setLength(getDuration({ ...fields, ...end }));
    change(end);
  };
  const start = bindTo(fields, errors, changeStart);
  const end = bindTo(fields, errors, changeEnd);
  return (
    <div className="columns">
      <DateField label={text.startDate} type="date" {...start('startDate')} />
      {!fields.isAllDay && <Field label={text.startTime} type="time" {...start('startTime')} />}
      <DateField label={text.endDate} type="date" {...end('endDate')} />
      {!fields.isAllDay && <Field label={text.endTime} type="time" {...end('endTime')} />}
    </div>
  );
}

export const AllDayField = (field: Pick<SwitchFieldProps, 'checked' | 'change'>) => (
  <SwitchField label={text.allDay} {...field} />
);

const spelt = (timeZone: string) => timeZone.replaceAll('_', ' ');

interface TimeZoneFieldProps {
  timeZone: string;
  error?: string;
  change: (timeZone: string) => void;
}

export function TimeZoneField({ timeZone, error, change }: TimeZoneFieldProps) {
  const { timeZone: ofCommunity, locale } = useCommunity();
  const [isOpen, setOpen] = useState(timeZone !== '');
  if (!isOpen && !error && timeZone === '')
    return (
      <p className="soft small">
        {text.zone({ zone: spelt(ofCommunity) })}{' '}
        <Button type="link" className={styles.inText} onClick={() => setOpen(true)}>
          {text.otherTimeZone}
        </Button>
      </p>
    );
  return (
    <div className={styles.zone}>
      <Labelled label={text.timeZone} error={error} hint={text.timeZoneHint}>
        {(ties) => (
          <Select
            {...ties}
            size="large"
            // takes the focus, because the button that opened this field has disappeared
            autoFocus={isOpen && timeZone === ''}
            getPopupContainer={(field: HTMLElement) => field.parentElement!}
            showSearch={{ filterOption: (typed, zone) => zone!.search.includes(searched(typed)) }}
            // replaces antd's icon, whose accessible name is always English
            suffixIcon={<ChevronDownIcon size={16} />}
            notFoundContent={text.timeZoneNone}
            options={zonesIn(locale, ofCommunity, timeZone)}
            value={timeZone && currentZoneName(timeZone)}
            onChange={change}
          />
        )}
      </Labelled>
    </div>
  );
}

interface ZoneOption {
  value: string;
  label: string;
  search: string;
}

const searched = (name: string) => spelt(name).toLowerCase();

const zoneOption = (value: string, label: string): ZoneOption => ({
  value,
  label,
  search: searched(`${label} ${formerZoneNames(value)}`),
});

function zonesIn(locale: string, ofCommunity: string, given: string) {
  const chosen = given && currentZoneName(given);
  const key = `${locale} ${ofCommunity}`;
  if (zones?.key !== key) zones = { key, options: listZones(locale, ofCommunity) };
  const { options } = zones;
  return options.some(({ value }) => value === chosen)
    ? options
    : [...options, zoneOption(chosen, spelt(chosen))];
}

let zones: { key: string; options: ZoneOption[] } | undefined;

function listZones(locale: string, ofCommunity: string) {
  const said = (timeZone: string) =>
    new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
      .formatToParts()
      .find(({ type }) => type === 'timeZoneName')!.value;
  return [
    zoneOption('', text.timeZoneOfCommunity({ zone: spelt(ofCommunity) })),
    ...zoneNames().map((value) => zoneOption(value, `${spelt(value)} · ${said(value)}`)),
  ];
}

interface Bound {
  value: string | undefined;
  error: string | undefined;
  onChange: (value: string) => void;
}

export const RegistrationWindow = ({ opens, closes }: { opens: Bound; closes: Bound }) => (
  <div className="columns columns-widest">
    <DateField label={text.opensAt} type="datetime-local" hint={text.opensAtHint} {...opens} />
    <DateField label={text.closesAt} type="datetime-local" hint={text.closesAtHint} {...closes} />
  </div>
);

interface WaitlistFieldProps {
  enabled: boolean;
  change: (enabled: boolean) => void;
  asks: number;
  off: WaitlistOff | undefined;
  choose: (off: WaitlistOff) => void;
  unanswered: boolean;
}

export function WaitlistField({ enabled, change, asks, off, choose, unanswered }: WaitlistFieldProps) {
  const id = useId();
  return (
    <>
      <SwitchField label={text.waitlist} hint={text.waitlistHint} checked={enabled} change={change} />
      {asks > 0 && (
        <div className={styles.asked}>
          <p id={id}>{text.waitlistOff({ waiting: asks })}</p>
          <Radio.Group
            vertical
            aria-labelledby={id}
            value={off}
            onChange={({ target }) => choose(target.value as WaitlistOff)}
            options={toOptions<WaitlistOff>(text.waitlistOffOptions)}
          />
          {off && <p className="soft small">{text.waitlistOffHint[off]}</p>}
          {unanswered && <Refusal>{text.waitlistOffRequired}</Refusal>}
        </div>
      )}
    </>
  );
}

const VISIBILITIES = toOptions<EventVisibility>(text.visibilities);

interface PublishingFieldsProps {
  visibility: EventVisibility;
  change: (changed: Partial<EventFormFields>) => void;
  later?: Bound;
}

export const PublishingFields = ({ visibility, change, later }: PublishingFieldsProps) => (
  <>
    <fieldset className={styles.group}>
      <legend>{text.visibility}</legend>
      <Choice
        label={text.visibility}
        options={VISIBILITIES}
        value={visibility}
        change={(chosen) => change({ visibility: chosen })}
      />
      <p className="soft small">{text.visibilityHint[visibility]}</p>
    </fieldset>
    {later && <DateField label={text.publishAt} type="datetime-local" hint={text.publishAtHint} {...later} />}
  </>
);

const FORMATS = toOptions(formatText.names);

interface FormatFieldProps {
  format: EventFormFields['format'];
  change: (changed: Partial<EventFormFields>) => void;
}

export function FormatField({ format, change }: FormatFieldProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{formatText.label}</legend>
      <Choice
        label={formatText.label}
        options={FORMATS}
        value={format}
        change={(chosen) => change({ format: chosen })}
      />
    </fieldset>
  );
}

type Pricing = 'free' | 'paid';

const PRICINGS = toOptions<Pricing>({ free: text.free, paid: text.paid });

interface PricingFieldsProps {
  fields: EventFormFields;
  errors: EventFormErrors;
  change: (changed: Partial<EventFormFields>) => void;
}

export function PricingFields({ fields, errors, change }: PricingFieldsProps) {
  const community = useCommunity();
  const choose = (pricing: Pricing) =>
    change(pricing === 'free' ? { isFree: true, price: '', paymentNote: '' } : { isFree: false });
  return (
    <fieldset className={styles.group}>
      <legend>{text.pricing}</legend>
      <div className="flex wrap gap-3">
        <Choice
          label={text.pricing}
          options={PRICINGS}
          value={fields.isFree ? 'free' : 'paid'}
          change={choose}
        />
        {!fields.isFree && (
          <Field
            label={text.price({ currency: community.currency })}
            inputMode="decimal"
            {...bindTo(fields, errors, change)('price')}
          />
        )}
      </div>
    </fieldset>
  );
}

export function PaymentNoteField(field: Bound) {
  const community = useCommunity();
  return (
    <Field
      label={text.paymentNote}
      placeholder={getPaymentNote({ paymentNote: null }, community)}
      maxLength={LIMITS.paymentNote}
      {...field}
    />
  );
}
