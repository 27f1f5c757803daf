import type { Event, Guest } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { guestsText as text } from '@meetmark/i18n/texts/workspace';
import { useState } from 'react';
import { Dialog, DialogButtons } from '../../../ui/dialog';
import { TextArea } from '../../../ui/field';
import { useRemoveGuests } from './workspace.api';
import styles from './workspace.module.css';
import { useAction } from '../../auth/use-action';

interface RemoveGuestsDialogProps {
  event: Event;
  guests: Guest[];
  removed?: () => void;
  close: () => void;
}

export function RemoveGuestsDialog({ event, guests, removed, close }: RemoveGuestsDialogProps) {
  const removing = useRemoveGuests(event.id);
  const removeOnce = useAction(removing);
  const [reason, setReason] = useState('');
  const [{ name }, ...others] = guests as [Guest, ...Guest[]];
  const people = guests.length;
  const remove = (dismiss: () => void) =>
    removeOnce(
      { ids: guests.map(({ id }) => id), reason: reason.trim() },
      {
        success: others.length === 0 ? text.removed({ name }) : text.removedMany({ people }),
        failed: text.failed,
        onSuccess: () => {
          removed?.();
          dismiss();
        },
      },
    );
  return (
    <Dialog title={text.removeTitle} close={close} width={520} form>
      {(dismiss) => (
        <div className={styles.fields}>
          <p>{others.length === 0 ? text.removeQuestion({ name }) : text.removeManyQuestion({ people })}</p>
          {guests.some(({ email }) => email !== null) && (
            <TextArea
              label={text.reason}
              hint={text.reasonHint}
              maxLength={LIMITS.note}
              rows={3}
              value={reason}
              onChange={setReason}
            />
          )}
          <DialogButtons
            dismiss={dismiss}
            danger
            inactive={removing.isPending}
            onClick={() => remove(dismiss)}
          >
            {text.remove}
          </DialogButtons>
        </div>
      )}
    </Dialog>
  );
}
