import type { EventPage, Guest } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { commonText } from '@meetmark/contracts/texts/common';
import { guestsText as text } from '@meetmark/contracts/texts/workspace';
import { Button, Switch } from 'antd';
import { useId, useState } from 'react';
import { serverMessage } from '../../../api/client';
import { ActionButton, useOnce } from '../../../ui/action-button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { TextArea } from '../../../ui/field';
import { useToasts } from '../../../ui/toasts';
import { useFormats } from '../../../ui/use-formats';
import { useFailure } from '../../auth/session';
import { wordsOf } from '../../registrations/questions';
import { DetailDrawer, type Fact, Facts } from '../shared/detail-drawer';
import { useChangeGuest, useRemoveGuest } from './workspace.api';
import styles from './workspace.module.css';

interface GuestDrawerProps {
  event: EventPage;
  guest: Guest;
  place: (guest: Guest) => Promise<void>;
  close: () => void;
}

/** One guest: what is known of them, the private note, the mark of payment, and their place. */
export function GuestDrawer({ event, guest, place, close }: GuestDrawerProps) {
  const [removing, setRemoving] = useState(false);
  const { dateTime, eventMoment } = useFormats();
  const answers = event.content.questions.flatMap(({ id, label }): Fact[] => {
    const answer = guest.answers[id];
    return answer === undefined ? [] : [[label, wordsOf(answer)]];
  });
  return (
    <DetailDrawer title={guest.name} size={480} close={close}>
      <div className={styles.fields}>
        <Facts
          facts={[
            [text.email, guest.email ?? text.noEmail],
            [text.state, text.states[guest.state]],
            [text.registeredAt, dateTime(guest.registeredAt)],
            [text.checkedIn, guest.checkedInAt ? eventMoment(event, guest.checkedInAt) : text.notYet],
            ...answers,
          ]}
        />
        {event.price !== null && guest.state === 'registered' && (
          <MarkSwitch event={event} guest={guest} mark="paid" isSet={guest.paidAt !== null} />
        )}
        {(guest.checkedInAt !== null || (guest.state === 'registered' && event.status === 'published')) && (
          <MarkSwitch event={event} guest={guest} mark="checkedIn" isSet={guest.checkedInAt !== null} />
        )}
        <Note event={event} guest={guest} />
        <div className={styles.ending}>
          {guest.state !== 'registered' && event.status === 'published' && (
            <ActionButton onClick={() => void place(guest)}>{text.place}</ActionButton>
          )}
          {guest.state !== 'cancelled' && (
            <Button danger onClick={() => setRemoving(true)}>
              {text.remove}
            </Button>
          )}
        </div>
      </div>
      {removing && <RemoveDialog event={event} guest={guest} close={() => setRemoving(false)} />}
    </DetailDrawer>
  );
}

type PartProps = Pick<GuestDrawerProps, 'event' | 'guest'>;

/** Whether they have paid, or came: what the door says is corrected here at any time. */
function MarkSwitch({
  event,
  guest,
  mark,
  isSet,
}: PartProps & { mark: 'paid' | 'checkedIn'; isSet: boolean }) {
  const failed = useFailure();
  const changing = useChangeGuest(event.id);
  const label = useId();
  // What was pressed shows until the list says so.
  const checked = changing.isPending ? changing.variables[mark] : isSet;
  return (
    <div className={styles.paid}>
      <Switch
        checked={checked}
        aria-labelledby={label}
        onChange={(next) => {
          if (changing.isPending) return;
          changing.mutate(
            { id: guest.id, [mark]: next },
            { onError: (error) => failed(error, serverMessage(error) ?? text.failed) },
          );
        }}
      />
      <span id={label}>{text[mark]}</span>
    </div>
  );
}

function Note({ event, guest }: PartProps) {
  const toasts = useToasts();
  const failed = useFailure();
  const changing = useChangeGuest(event.id);
  const changeOnce = useOnce(changing);
  const [note, setNote] = useState(guest.note ?? '');
  const save = () =>
    changeOnce(
      { id: guest.id, note: note.trim() || null },
      {
        onSuccess: () => toasts.success(commonText.success, text.noteSaved),
        onError: (error) => failed(error, serverMessage(error) ?? text.failed),
      },
    );
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextArea
        label={text.note}
        hint={text.noteHint}
        maxLength={LIMITS.note}
        rows={3}
        value={note}
        onChange={setNote}
      />
      <div>
        <ActionButton htmlType="submit" inactive={changing.isPending || note.trim() === (guest.note ?? '')}>
          {text.saveNote}
        </ActionButton>
      </div>
    </form>
  );
}

function RemoveDialog({ event, guest, close }: PartProps & { close: () => void }) {
  const toasts = useToasts();
  const failed = useFailure();
  const removing = useRemoveGuest(event.id);
  const removeOnce = useOnce(removing);
  const [reason, setReason] = useState('');
  const remove = (dismiss: () => void) =>
    removeOnce(
      { id: guest.id, reason: reason.trim() },
      {
        onSuccess: () => {
          toasts.success(commonText.success, text.removed({ name: guest.name }));
          dismiss();
        },
        onError: (error) => failed(error, serverMessage(error) ?? text.failed),
      },
    );
  return (
    <Dialog title={text.removeTitle} close={close} width={520} form>
      {(dismiss) => (
        <div className={styles.fields}>
          <p>{text.removeQuestion({ name: guest.name })}</p>
          {guest.email !== null && (
            <TextArea
              label={text.reason}
              hint={text.reasonHint}
              maxLength={LIMITS.note}
              rows={3}
              value={reason}
              onChange={setReason}
            />
          )}
          <DialogActions>
            <Button onClick={dismiss}>{commonText.cancel}</Button>
            <ActionButton type="primary" danger inactive={removing.isPending} onClick={() => remove(dismiss)}>
              {text.remove}
            </ActionButton>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}
