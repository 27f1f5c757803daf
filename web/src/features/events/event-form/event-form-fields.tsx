import type { EventPage, EventVisibility } from '@meetmark/contracts';
import type { HelpPanel } from '@meetmark/contracts/handbook';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/contracts/texts/event-form';
import { formatText } from '@meetmark/contracts/texts/events';
import { eventTopicsText } from '@meetmark/contracts/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { Button, Radio, Select, Switch } from 'antd';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useCommunity } from '../../../api/community';
import { ChevronDownIcon } from '../../../ui/icons';
import { Choice, optionsOf } from '../../../ui/choice';
import { Refusal } from '../../../ui/feedback';
import { Field, Labelled } from '../../../ui/field';
import { HelpButton } from '../../help/help-button';
import { TopicChips } from '../../topics/topic-chips';
import { topicsQuery } from '../../topics/topics.api';
import { paymentNoteOf } from '../shared/event';
import type { WaitlistOff } from '../shared/events.api';
import { endAfter, type EventFormErrors, type EventFormFields, fieldsOf, lengthOf } from './event-fields';
import styles from './event-form.module.css';

interface SectionProps {
  title: string;
  help: HelpPanel;
  children: ReactNode;
}

export function Section({ title, help, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.sectionHead}>
        <h3 id={id}>{title}</h3>
        <HelpButton panel={help} title={title} />
      </div>
      {children}
    </section>
  );
}

/** What is wrong with a group of controls; nothing when nothing is. */
export const FieldError = ({ children }: { children?: ReactNode }) =>
  children && (
    <p className={styles.error} role="alert">
      {children}
    </p>
  );

interface TopicsFieldProps {
  /** Ids. */
  topics: string[];
  error?: string;
  change: (topics: string[]) => void;
}

/** What the event is about; nothing where the community has no topics. */
export function TopicsField({ topics, error, change }: TopicsFieldProps) {
  const { data: all = [] } = useQuery(topicsQuery);
  if (all.length === 0) return null;
  return (
    <div className={styles.rows}>
      <div>
        <span className={styles.label} aria-hidden="true">
          {eventTopicsText.label}
        </span>
        <p className={styles.soft}>{eventTopicsText.hint}</p>
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
          <p id={`${id}-hint`} className={styles.soft}>
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
  /** A new event is as long as this one. */
  like?: EventPage;
}

/** Start and end on the clock of the event's place, in the browser's own pickers. The end follows the start. */
export function DateTimeFields({ fields, errors, change, like }: DateTimeFieldsProps) {
  const { timeZone } = useCommunity();
  const length = useRef(lengthOf(like ? fieldsOf(timeZone, like) : fields));
  const changeStart = (start: Partial<EventFormFields>) =>
    change({ ...start, ...(length.current !== null && endAfter({ ...fields, ...start }, length.current)) });
  const changeEnd = (end: Partial<EventFormFields>) => {
    length.current = lengthOf({ ...fields, ...end });
    change(end);
  };
  return (
    <>
      <SwitchField
        label={text.allDay}
        checked={fields.isAllDay}
        change={(isAllDay) => change({ isAllDay })}
      />
      <div className={styles.pair}>
        <Field
          label={text.startDate}
          type="date"
          value={fields.startDate}
          error={errors.startDate}
          onChange={(startDate) => changeStart({ startDate })}
        />
        {!fields.isAllDay && (
          <Field
            label={text.startTime}
            type="time"
            value={fields.startTime}
            error={errors.startTime}
            onChange={(startTime) => changeStart({ startTime })}
          />
        )}
      </div>
      <div className={styles.pair}>
        <Field
          label={text.endDate}
          type="date"
          value={fields.endDate}
          error={errors.endDate}
          onChange={(endDate) => changeEnd({ endDate })}
        />
        {!fields.isAllDay && (
          <Field
            label={text.endTime}
            type="time"
            value={fields.endTime}
            error={errors.endTime}
            onChange={(endTime) => changeEnd({ endTime })}
          />
        )}
      </div>
      <TimeZoneField
        timeZone={fields.timeZone}
        error={errors.timeZone}
        change={(chosen) => change({ timeZone: chosen })}
      />
    </>
  );
}

/** 'America/New York': the name that the world's list has for a zone. */
const spelt = (timeZone: string) => timeZone.replaceAll('_', ' ');

interface TimeZoneFieldProps {
  /** Empty: the community's. */
  timeZone: string;
  error?: string;
  change: (timeZone: string) => void;
}

/** Says on which clock the times above are meant. Most events stand on the community's: another one is chosen on demand. */
function TimeZoneField({ timeZone, error, change }: TimeZoneFieldProps) {
  const { timeZone: ofCommunity, locale } = useCommunity();
  const [isOpen, setOpen] = useState(timeZone !== '');
  if (!isOpen && !error && timeZone === '')
    return (
      <p className={styles.soft}>
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
            // what was just asked for by the button that is gone
            autoFocus={isOpen && timeZone === ''}
            // beside the field, in the dialog and its landmarks
            getPopupContainer={(field: HTMLElement) => field.parentElement!}
            showSearch={{ optionFilterProp: 'label' }}
            // antd's own has an English name
            suffixIcon={<ChevronDownIcon size={16} />}
            notFoundContent={text.timeZoneNone}
            options={zonesIn(locale, ofCommunity, timeZone)}
            value={timeZone}
            onChange={change}
          />
        )}
      </Labelled>
    </div>
  );
}

/** 'America/New York · Eastern Time', each found by either. */
function zonesIn(locale: string, ofCommunity: string, chosen: string) {
  const key = `${locale} ${ofCommunity}`;
  if (zones?.key !== key) zones = { key, options: zonesOf(locale, ofCommunity) };
  const { options } = zones;
  return options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: spelt(chosen) }];
}

let zones: { key: string; options: { value: string; label: string }[] } | undefined;

function zonesOf(locale: string, ofCommunity: string) {
  const said = (timeZone: string) =>
    new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
      .formatToParts()
      .find(({ type }) => type === 'timeZoneName')!.value;
  return [
    { value: '', label: text.timeZoneOfCommunity({ zone: spelt(ofCommunity) }) },
    ...Intl.supportedValuesOf('timeZone').map((value) => ({
      value,
      label: `${spelt(value)} · ${said(value)}`,
    })),
  ];
}

/** Value, error and change of a field, as the form binds them. */
interface Bound {
  value: string | undefined;
  error: string | undefined;
  onChange: (value: string) => void;
}

export const RegistrationWindow = ({ opens, closes }: { opens: Bound; closes: Bound }) => (
  <div className={styles.window}>
    <Field label={text.opensAt} type="datetime-local" hint={text.opensAtHint} {...opens} />
    <Field label={text.closesAt} type="datetime-local" hint={text.closesAtHint} {...closes} />
  </div>
);

interface WaitlistFieldProps {
  enabled: boolean;
  change: (enabled: boolean) => void;
  /** How many people wait; none unless the organiser has to choose what happens to them. */
  asks: number;
  off: WaitlistOff | undefined;
  choose: (off: WaitlistOff) => void;
  unanswered: boolean;
}

/** The switch of the waiting list. When it is turned off, the organiser has to say what happens to the people on it. */
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
            options={optionsOf<WaitlistOff>(text.waitlistOffOptions)}
          />
          {off && <p className={styles.soft}>{text.waitlistOffHint[off]}</p>}
          {unanswered && <Refusal>{text.waitlistOffRequired}</Refusal>}
        </div>
      )}
    </>
  );
}

const VISIBILITIES = optionsOf<EventVisibility>(text.visibilities);

interface PublishingFieldsProps {
  visibility: EventVisibility;
  change: (changed: Partial<EventFormFields>) => void;
  /** The moment of publishing, of an event that is not published yet. */
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
      <p className={styles.soft}>{text.visibilityHint[visibility]}</p>
    </fieldset>
    {later && <Field label={text.publishAt} type="datetime-local" hint={text.publishAtHint} {...later} />}
  </>
);

const FORMATS = optionsOf(formatText.names);

interface FormatFieldProps {
  format: EventFormFields['format'];
  change: (changed: Partial<EventFormFields>) => void;
}

/** Chooses whether people meet in person, online or both. */
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

const PRICINGS = optionsOf<Pricing>({ free: text.free, paid: text.paid });
const PRICE_STEP = 0.01;

interface PricingFieldsProps {
  fields: EventFormFields;
  errors: EventFormErrors;
  change: (changed: Partial<EventFormFields>) => void;
}

/** Free or paid; choosing free clears the price. */
export function PricingFields({ fields, errors, change }: PricingFieldsProps) {
  const community = useCommunity();
  const choose = (pricing: Pricing) =>
    change(pricing === 'free' ? { isFree: true, price: '', paymentNote: '' } : { isFree: false });
  return (
    <fieldset className={styles.group}>
      <legend>{text.pricing}</legend>
      <Choice
        label={text.pricing}
        options={PRICINGS}
        value={fields.isFree ? 'free' : 'paid'}
        change={choose}
      />
      {!fields.isFree && (
        <Field
          label={text.price({ currency: community.currency })}
          type="number"
          min={0}
          step={PRICE_STEP}
          inputMode="decimal"
          value={fields.price}
          error={errors.price}
          onChange={(price) => change({ price })}
        />
      )}
      {!fields.isFree && (
        <Field
          label={text.paymentNote}
          // what readers see while it is empty
          placeholder={paymentNoteOf({ paymentNote: null }, community)}
          maxLength={LIMITS.paymentNote}
          value={fields.paymentNote}
          onChange={(paymentNote) => change({ paymentNote })}
        />
      )}
    </fieldset>
  );
}
