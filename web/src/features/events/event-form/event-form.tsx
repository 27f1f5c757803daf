import type { Event } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { Button } from 'antd';
import { eventFormText as text } from '../../../strings/event-form';
import { ActionButton } from '../../../ui/action-button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { Refusal } from '../../../ui/feedback';
import { Field, TextArea } from '../../../ui/field';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { BannerField, DateTimeFields, FormatField, PricingFields } from './event-form-fields';
import { EventConflict, useSubmitEvent } from './submit-event';
import { eventFormErrors, fieldsOf, isRangeValid } from './event-fields';
import styles from './event-form.module.css';

interface EventFormDialogProps {
  /** The event to edit; without one, an event is created. */
  event?: Event;
  /** A new event begins with the fields of this one. */
  template?: Event;
  /** Called when the dialog has closed: then stop rendering it. */
  close: () => void;
}

/** 'Create New Event' and 'Edit Event', shared by the member's and the administrator's screens. */
export default function EventFormDialog({ event, template, close }: EventFormDialogProps) {
  return (
    <Dialog title={event ? text.editTitle : text.createTitle} close={close} width={680} form>
      {(dismiss) => <EventForm event={event} template={template} dismiss={dismiss} />}
    </Dialog>
  );
}

interface EventFormProps {
  event?: Event;
  template?: Event;
  dismiss: () => void;
}

export function EventForm({ event, template, dismiss }: EventFormProps) {
  const toasts = useToasts();
  const { form, fields, errors, change, bind, refuse, refuseAs, submit } = useForm(
    () => fieldsOf(event ?? template),
    eventFormErrors,
  );
  const { save, isPending, refusal, conflict } = useSubmitEvent(event, { done: dismiss, refused: refuseAs });

  const saveIfInOrder = submit((valid) => {
    if (isRangeValid(valid)) return save(valid);
    toasts.error(text.invalidRange, text.invalidRangeDetail);
    refuse({ endTime: text.invalidRangeDetail });
  });

  const saveMine = () => {
    const found = eventFormErrors(fields);
    if (Object.keys(found).length > 0) return refuse(found);
    if (!isRangeValid(fields)) return refuse({ endTime: text.invalidRangeDetail });
    conflict?.saveMine(fields);
  };

  return (
    <form ref={form} className={styles.form} onSubmit={saveIfInOrder} noValidate>
      <Field label={text.title} autoFocus placeholder={text.titlePlaceholder} {...bind('title')} />
      <TextArea
        label={text.description}
        placeholder={text.descriptionPlaceholder}
        maxLength={LIMITS.description}
        {...bind('description')}
      />
      <DateTimeFields fields={fields} errors={errors} change={change} />
      <FormatField format={fields.format} change={change} />
      <div className={styles.pair}>
        <Field
          label={text.location}
          placeholder={text.locationPlaceholder}
          maxLength={LIMITS.location}
          {...bind('location')}
        />
        <Field
          label={text.capacity}
          type="number"
          min={1}
          step={1}
          placeholder={text.capacityPlaceholder}
          hint={event && event.registrationCount > 0 ? text.registered(event.registrationCount) : undefined}
          {...bind('capacity')}
        />
      </div>
      <BannerField url={fields.bannerImageUrl} change={(bannerImageUrl) => change({ bannerImageUrl })} />
      <PricingFields fields={fields} error={errors.price} change={change} />
      {refusal && <Refusal>{refusal}</Refusal>}
      {conflict && (
        <EventConflict
          conflict={conflict}
          fields={fields}
          saving={isPending}
          saveMine={saveMine}
          takeTheirs={() => {
            change(fieldsOf(conflict.present));
            conflict.takeTheirs();
          }}
        />
      )}
      <DialogActions>
        <Button onClick={dismiss}>{text.cancel}</Button>
        <ActionButton type="primary" htmlType="submit" inactive={isPending}>
          {event ? (isPending ? text.updating : text.update) : isPending ? text.creating : text.create}
        </ActionButton>
      </DialogActions>
    </form>
  );
}
