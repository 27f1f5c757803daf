import type { User } from '@meetmark/contracts';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { profileText as text } from '../../strings/profile';
import { Dialog } from '../../ui/dialog';
import { DialogActions } from '../../ui/dialog-actions';
import { inThisTab, persist, readPersisted } from '../../ui/persisted-state';

/** Where it is kept that this browser session has been asked. */
const ASKED = 'profile-picture-prompt';

/** Asks members without a picture for one, once a session (section 9). */
export function PicturePrompt({ user, add }: { user: User; add: () => void }) {
  const [open, setOpen] = useState(() => !user.profileImageUrl && !readPersisted(ASKED, inThisTab));
  // Not while rendering: a rendering that is thrown away must not use up the question.
  useEffect(() => {
    if (open) persist(ASKED, 'shown', inThisTab);
  }, [open]);
  if (!open) return null;
  return (
    <Dialog title={text.promptTitle} close={() => setOpen(false)} width={440} compact>
      {(dismiss) => (
        <>
          <p>{text.prompt}</p>
          <DialogActions>
            <Button onClick={dismiss}>{text.promptLater}</Button>
            <Button
              type="primary"
              onClick={() => {
                add();
                dismiss();
              }}
            >
              {text.promptAdd}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
