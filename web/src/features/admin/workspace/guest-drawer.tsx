import type { EventPage, Guest } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { guestsText as text } from '@meetmark/i18n/texts/workspace';
import { Button, Switch } from 'antd';
import { useId, useState } from 'react';
import { ActionButton } from '../../../ui/action-button';
import { TextArea } from '../../../ui/field';
import { useFormats } from '../../../ui/use-formats';
import { useAction } from '../../auth/use-action';
import { useRegistrationState } from '../../events/shared/use-registration-state';
import { formatAnswer } from '../../registrations/questions';
import { DetailDrawer, type Fact, Facts } from '../shared/detail-drawer';
import { RemoveGuestsDialog } from './remove-guests-dialog';
import { useChangeGuest } from './workspace.api';
import styles from './workspace.module.css';

interface GuestDrawerProps {
  event: EventPage;
  guest: Guest;
  place: (guest: Guest) => Promise<void>;
  close: () => void;
}

export function GuestDrawer({ event, guest, place, close }: GuestDrawerProps) {
  const [removing, setRemoving] = useState(false);
  const { dateTime, eventMoment } = useFormats();
  const state = useRegistrationState(event);
  const answers = event.content.questions.flatMap(({ id, label }): Fact[] => {
    const answer = guest.answers[id];
    return answer === undefined ? [] : [[label, formatAnswer(answer)]];
  });
  return (
    <DetailDrawer title={guest.name} size={480} close={close}>
      <div className={styles.fields}>
        <Facts
          facts={[
            [text.email, guest.email ?? text.noEmail],
            ...(guest.unconfirmed ? [[text.confirmed, text.unconfirmedFilter.true] satisfies Fact] : []),
            [text.state, text.states[guest.state]],
            [text.registeredAt, dateTime(guest.registeredAt)],
            [
              text.checkedIn,
              guest.checkedInAt
                ? eventMoment(event, guest.checkedInAt)
                : state !== 'ended'
                  ? text.notYet
                  : guest.noShow
                    ? text.noShow
                    : text.notRecorded,
            ],
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
      {removing && <RemoveGuestsDialog event={event} guests={[guest]} close={() => setRemoving(false)} />}
    </DetailDrawer>
  );
}

type PartProps = Pick<GuestDrawerProps, 'event' | 'guest'>;

function MarkSwitch({
  event,
  guest,
  mark,
  isSet,
}: PartProps & { mark: 'paid' | 'checkedIn'; isSet: boolean }) {
  const changing = useChangeGuest(event.id);
  const change = useAction(changing);
  const label = useId();
  const checked = changing.isPending ? changing.variables[mark] : isSet;
  return (
    <div className={styles.paid}>
      <Switch
        checked={checked}
        aria-labelledby={label}
        onChange={(next) => change({ id: guest.id, [mark]: next }, { failed: text.failed })}
      />
      <span id={label}>{text[mark]}</span>
    </div>
  );
}

function Note({ event, guest }: PartProps) {
  const changing = useChangeGuest(event.id);
  const changeOnce = useAction(changing);
  const [note, setNote] = useState(guest.note ?? '');
  const save = () =>
    changeOnce({ id: guest.id, note: note.trim() || null }, { success: text.noteSaved, failed: text.failed });
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
