import { commonText } from '@meetmark/i18n/texts/common';
import { Button, Modal } from 'antd';
import { type ComponentProps, type FocusEvent, type ReactNode, useRef, useState } from 'react';
import { ActionButton } from './action-button';
import styles from './dialog.module.css';
import { ErrorBoundary } from './error-boundary';
import { GIVEN_BACK_BY_US, useFocusGivenBack } from './focus-place';
import { OfflineNotice } from './offline';

interface DialogProps {
  title: string;
  close: () => void;
  /** Width in pixels. On phones, the dialog has the full width. */
  width?: number;
  hideTitle?: boolean;
  /** For a short question. Phones show the dialog as a bottom sheet. */
  compact?: boolean;
  /** A click outside doesn't close a form. Escape asks before it discards input, except with 'unasked'. */
  form?: boolean | 'unasked';
  className?: string;
  children: (dismiss: () => void) => ReactNode;
}

/** Opens on its first render. Calls `close` after the closing animation. */
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
      // Scrolls to a focused control, except after a click. In Safari, a click on a button focuses the
      // element around it, and scrolling there would move the button.
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
      <div onChange={() => (typed.current = true)}>
        <ErrorBoundary>{children(dismiss)}</ErrorBoundary>
      </div>
      {asking && <DiscardQuestion discard={dismiss} close={() => setAsking(false)} />}
    </Modal>
  );
}

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

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);

interface DialogButtonsProps extends ComponentProps<typeof ActionButton> {
  dismiss: () => void;
  keep?: string;
}

export const DialogButtons = ({ dismiss, keep = commonText.cancel, ...main }: DialogButtonsProps) => (
  <DialogActions>
    <Button onClick={dismiss}>{keep}</Button>
    <ActionButton type="primary" htmlType={main.onClick ? 'button' : 'submit'} {...main} />
  </DialogActions>
);
