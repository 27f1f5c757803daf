import { eventFormText as text } from '@meetmark/contracts/texts/event-form';
import { Button } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { DiscardQuestion } from '../../../ui/dialog';
import { OfflineNotice } from '../../../ui/offline';
import { Sheet } from '../../../ui/sheet';
import { useFormats } from '../../../ui/use-formats';
import styles from './event-form.module.css';
import type { useTypedFields } from './typed-fields';

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
      title={
        // the headings of the form's sections follow it
        <span role="heading" aria-level={2}>
          {title}
        </span>
      }
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
              if (target.matches(':is(textarea, [role=textbox]):focus-visible'))
                target.scrollIntoView({ block: 'nearest' });
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

interface EarlierProps<Fields extends object> {
  typed: Pick<ReturnType<typeof useTypedFields<Fields>>, 'earlier' | 'answered' | 'discardEarlier'>;
  change: (changed: Partial<Fields>) => void;
}

/** Offers what was typed before the tab was closed. */
export function Earlier<Fields extends object>({
  typed: { earlier, answered, discardEarlier },
  change,
}: EarlierProps<Fields>) {
  const { dateTime } = useFormats();
  if (!earlier) return null;
  const goOn = () => {
    change(earlier.changed);
    answered();
  };
  return (
    <section className={styles.earlier} aria-label={text.typedTitle}>
      <p>
        <strong>{text.typedTitle}</strong> {text.typed({ moment: dateTime(earlier.at) })}
      </p>
      <div className={styles.row}>
        <Button onClick={goOn}>{text.typedBack}</Button>
        <Button type="text" onClick={discardEarlier}>
          {text.typedForget}
        </Button>
      </div>
    </section>
  );
}
