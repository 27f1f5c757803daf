import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { Button } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { DiscardQuestion } from '../../../ui/dialog';
import { ErrorBoundary } from '../../../ui/error-boundary';
import { OfflineNotice } from '../../../ui/offline';
import { Sheet } from '../../../ui/sheet';
import { useFormats } from '../../../ui/use-formats';
import styles from './event-form.module.css';
import type { useTypedFields } from './typed-fields';

interface FormDrawerProps {
  title: string;
  close: () => void;
  discarded: () => void;
  /** `holds` reports unsaved changes by switches and buttons, which fire no `change` event. */
  children: (dismiss: () => void, holds: (changes: boolean) => void) => ReactNode;
}

/** A click outside doesn't close the drawer. Escape asks before it discards input. */
export function FormDrawer({ title, close, discarded, children }: FormDrawerProps) {
  const [asking, setAsking] = useState(false);
  const typed = useRef(false);
  const changed = useRef(false);
  const [holds] = useState(() => (changes: boolean) => void (changed.current = changes));
  const whole = useRef<HTMLDivElement>(null);
  return (
    <Sheet
      title={
        <span role="heading" aria-level={2}>
          {title}
        </span>
      }
      size={720}
      className={styles.drawer}
      mask={{ closable: false }}
      leave={(dismiss) => (typed.current || changed.current ? setAsking(true) : dismiss())}
      // otherwise antd focuses the drawer instead of its first input
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
              if (target.matches(':is(textarea, [role=textbox]):focus-visible'))
                target.scrollIntoView({ block: 'nearest' });
            }}
          >
            <ErrorBoundary>{children(dismiss, holds)}</ErrorBoundary>
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
