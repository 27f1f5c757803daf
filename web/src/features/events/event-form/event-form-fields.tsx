import { Button } from 'antd';
import { useRef } from 'react';
import { useCommunity } from '../../../api/community';
import { eventFormText as text } from '../../../strings/event-form';
import { calendarText, formatText } from '../../../strings/events';
import { Choice, optionsOf } from '../../../ui/choice';
import { Field } from '../../../ui/field';
import { CameraIcon } from '../../../ui/icons';
import { PictureInput } from '../../../ui/picture-input';
import { useFormats } from '../../../ui/use-formats';
import type { EventFormErrors, EventFormFields } from './event-fields';
import styles from './event-form.module.css';

interface DateTimeFieldsProps {
  fields: EventFormFields;
  errors: EventFormErrors;
  change: (changed: Partial<EventFormFields>) => void;
}

/** Start and end on the viewer's clock, in the browser's own pickers. */
export function DateTimeFields({ fields, errors, change }: DateTimeFieldsProps) {
  const zone = useFormats().viewerZone();
  // A new start on a form without an end suggests the same day.
  const changeStart = (startDate: string) => change({ startDate, endDate: fields.endDate || startDate });
  return (
    <>
      <div className={styles.pair}>
        <Field
          label={text.startDate}
          type="date"
          value={fields.startDate}
          error={errors.startDate}
          onChange={changeStart}
        />
        <Field
          label={text.startTime}
          type="time"
          value={fields.startTime}
          error={errors.startTime}
          onChange={(startTime) => change({ startTime })}
        />
      </div>
      <div className={styles.pair}>
        <Field
          label={text.endDate}
          type="date"
          value={fields.endDate}
          error={errors.endDate}
          onChange={(endDate) => change({ endDate })}
        />
        <Field
          label={text.endTime}
          type="time"
          value={fields.endTime}
          error={errors.endTime}
          onChange={(endTime) => change({ endTime })}
        />
      </div>
      {zone && <p className={styles.soft}>{calendarText.zone(zone)}</p>}
    </>
  );
}

const FORMATS = optionsOf(formatText.names);

interface FormatFieldProps {
  format: EventFormFields['format'];
  change: (changed: Partial<EventFormFields>) => void;
}

/** In person, online or both. */
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

interface BannerFieldProps {
  /** A data URL that was chosen, the event's own URL, or null. */
  url: string | null;
  change: (url: string | null) => void;
}

export function BannerField({ url, change }: BannerFieldProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.banner}>
      <p className={styles.label}>{text.banner}</p>
      <PictureInput ref={picker} label={text.banner} choose={change} />
      {url && <img src={url} alt="" width={1600} height={800} className={styles.preview} />}
      <div className={styles.buttons}>
        <Button icon={<CameraIcon size={18} />} onClick={() => picker.current?.click()}>
          {url ? text.changeBanner : text.chooseBanner}
        </Button>
        {url && (
          <Button type="text" onClick={() => change(null)}>
            {text.removeBanner}
          </Button>
        )}
        {!url && <p className={styles.soft}>{text.bannerHint}</p>}
      </div>
    </div>
  );
}

type Pricing = 'free' | 'paid';

const PRICINGS = optionsOf<Pricing>({ free: text.free, paid: text.paid });
const PRICE_STEP = 0.01;

interface PricingFieldsProps {
  fields: EventFormFields;
  error?: string;
  change: (changed: Partial<EventFormFields>) => void;
}

/** Free or paid; choosing free clears the price. */
export function PricingFields({ fields, error, change }: PricingFieldsProps) {
  const { currency } = useCommunity();
  const choose = (pricing: Pricing) =>
    change(pricing === 'free' ? { isFree: true, price: '' } : { isFree: false });
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
          label={text.price(currency)}
          type="number"
          min={0}
          step={PRICE_STEP}
          inputMode="decimal"
          value={fields.price}
          error={error}
          onChange={(price) => change({ price })}
        />
      )}
    </fieldset>
  );
}
