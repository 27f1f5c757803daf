import { useCommunity } from '../../../api/community';
import { eventFormText as text } from '../../../strings/event-form';
import { Choice, optionsOf } from '../../../ui/choice';
import { Field } from '../../../ui/field';
import type { EventFormFields } from './event-fields';
import styles from './event-form.module.css';

type Pricing = 'free' | 'paid';

const OPTIONS = optionsOf<Pricing>({ free: text.free, paid: text.paid });
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
        options={OPTIONS}
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
