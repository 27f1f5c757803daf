import { closingText as text } from '@meetmark/i18n/texts/closing';
import { send } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { useOnce } from '../../ui/action-button';
import { Dialog, DialogButtons } from '../../ui/dialog';
import { Refusal } from '../../ui/feedback';
import { useFormats } from '../../ui/use-formats';
import { notedReturnTo } from '../auth/return-to';

export function RestoreDialog({ deletedAt, close }: { deletedAt: string; close: () => void }) {
  const { shortDate } = useFormats();
  const restoring = useMutation({
    mutationFn: () => send('/api/login/restore', { method: 'POST' }),
    onSuccess: () => window.location.assign(notedReturnTo() ?? '/'),
  });
  const restoreOnce = useOnce(restoring);
  return (
    <Dialog title={text.closedTitle} close={close} width={440} compact>
      {(dismiss) => (
        <div className="grid gap-4">
          <p>{text.closed({ date: shortDate(deletedAt) })}</p>
          {restoring.isError && <Refusal>{text.restoreFailed}</Refusal>}
          <DialogButtons
            dismiss={dismiss}
            inactive={restoring.isPending}
            onClick={() => restoreOnce(undefined)}
          >
            {restoring.isPending ? text.restoring : text.restoreIt}
          </DialogButtons>
        </div>
      )}
    </Dialog>
  );
}
