import { type ReactNode, useRef, useState } from 'react';
import { DiscardQuestion } from '../../../ui/dialog';
import { OfflineNotice } from '../../../ui/offline';
import { Sheet } from '../../../ui/sheet';
import styles from './event-form.module.css';

interface FormDrawerProps {
  title: string;
  /** The drawer calls it when it has left the screen. */
  close: () => void;
  /** The drawer calls it when what was typed is discarded. */
  discarded: () => void;
  /** `holds`: what differs from what is saved; switches and buttons change the form without an event that the drawer hears. */
  children: (dismiss: () => void, holds: (changes: boolean) => void) => ReactNode;
}

/** A long form at the side of the screen, on a phone the whole of it. A click beside it keeps what is typed, and Escape asks first. */
export function FormDrawer({ title, close, discarded, children }: FormDrawerProps) {
  const [asking, setAsking] = useState(false);
  const typed = useRef(false);
  const changed = useRef(false);
  const [holds] = useState(() => (changes: boolean) => void (changed.current = changes));
  const whole = useRef<HTMLDivElement>(null);
  return (
    <Sheet
      title={title}
      size={720}
      className={styles.drawer}
      mask={{ closable: false }}
      leave={(dismiss) => (typed.current || changed.current ? setAsking(true) : dismiss())}
      // antd would give the focus to the drawer itself.
      autoFocus={false}
      opened={() => {
        if (!whole.current?.contains(document.activeElement)) whole.current?.querySelector('input')?.focus();
      }}
      close={close}
    >
      {(dismiss) => (
        <>
          <OfflineNotice />
          <div
            ref={whole}
            className={styles.whole}
            onChange={() => (typed.current = true)}
            onFocus={({ target }) => {
              // browsers show the first line of a text area, which may be all that the foot leaves of it
              if (target.matches('textarea:focus-visible')) target.scrollIntoView({ block: 'nearest' });
            }}
          >
            {children(dismiss, holds)}
          </div>
          {asking && (
            <DiscardQuestion
              discard={() => {
                discarded();
                dismiss();
              }}
              close={() => setAsking(false)}
            />
          )}
        </>
      )}
    </Sheet>
  );
}
