import { commonText } from '@meetmark/contracts/texts/common';
import { Button, Modal } from 'antd';
import { type FocusEvent, type ReactNode, useRef, useState } from 'react';
import styles from './dialog.module.css';
import { GIVEN_BACK_BY_US, useFocusGivenBack } from './focus-place';
import { OfflineNotice } from './offline';

interface DialogProps {
  title: string;
  /** The dialog calls it when it has left the screen: the caller then stops rendering it. */
  close: () => void;
  /** Pixels on a wide screen; a phone gives it the whole width. */
  width?: number;
  /** Whether the title only names the dialog, because its content begins with a heading of its own. */
  hideTitle?: boolean;
  /** A question of a line or two: a phone shows it as a sheet at its lower edge instead of a page. */
  compact?: boolean;
  /** Whether it holds a form: a click beside it keeps what is typed, and Escape asks first unless nothing is to be asked. */
  form?: boolean | 'unasked';
  className?: string;
  children: (dismiss: () => void) => ReactNode;
}

/** A modal dialog that is open while it is rendered, and calls `close` after its closing motion. */
export function Dialog({
  title,
  close,
  width = 520,
  hideTitle,
  compact,
  form = false,
  className,
  children,
}: DialogProps) {
  const [open, setOpen] = useState(true);
  const [asking, setAsking] = useState(false);
  const typed = useRef(false);
  const dismiss = () => setOpen(false);
  const leave = () => (form === true && typed.current ? setAsking(true) : dismiss());

  useFocusGivenBack();
  return (
    <Modal
      open={open}
      title={title}
      classNames={hideTitle ? { header: 'visually-hidden' } : undefined}
      width={width}
      footer={null}
      mask={{ closable: !form }}
      // Past the last control antd goes on with the first without scrolling to it. A pressed mouse scrolls nothing: Safari gives the
      // focus to what is around a button, and the button would be gone from under the pointer.
      wrapProps={{
        onFocus: ({ target }: FocusEvent<HTMLDivElement>) => {
          if (target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest' });
        },
      }}
      focusable={GIVEN_BACK_BY_US}
      onCancel={leave}
      afterClose={close}
      className={[styles.dialog, compact ? styles.sheet : styles.page, className].filter(Boolean).join(' ')}
    >
      <OfflineNotice />
      <div onChange={() => (typed.current = true)}>{children(dismiss)}</div>
      {asking && <DiscardQuestion discard={dismiss} close={() => setAsking(false)} />}
    </Modal>
  );
}

/** Asked before what was typed is lost. */
export const DiscardQuestion = ({ discard, close }: { discard: () => void; close: () => void }) => (
  <Dialog title={commonText.discardTitle} close={close} width={440} compact>
    {(goOn) => (
      <>
        <p>{commonText.discardQuestion}</p>
        <DialogActions>
          <Button autoFocus onClick={goOn}>
            {commonText.keepEditing}
          </Button>
          <Button
            type="primary"
            danger
            onClick={() => {
              goOn();
              discard();
            }}
          >
            {commonText.discard}
          </Button>
        </DialogActions>
      </>
    )}
  </Dialog>
);

/** The buttons that end a dialog, the main one last. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
