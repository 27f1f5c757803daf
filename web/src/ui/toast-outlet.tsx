import { App, Button } from 'antd';
import { lazy, Suspense, useEffect, useRef } from 'react';
import type { Toast } from './toasts';
import { followTyping } from './type-ahead';

const SECONDS = 5;
/** Seconds that a focused toast stays: one day. antd would close a toast whose duration is removed. */
const UNTIL_LEFT = 86_400;
const TOAST = { maxCount: 1, placement: 'topRight' } as const;

/** Loaded separately, so that toasts don't wait for hints. */
const Hints = lazy(() => import('./hints').catch(() => ({ default: () => null })));

export default function ToastOutlet({ toast }: { toast: Toast | null }) {
  useEffect(() => {
    const stop = followTyping();
    return () => stop();
  }, []);
  return (
    <>
      {toast && (
        <App component={false} notification={TOAST}>
          <ToastGestures />
          <Announce toast={toast} />
        </App>
      )}
      <Suspense>
        <Hints />
      </Suspense>
    </>
  );
}

/** Calls `shown` once the toast is visible, because antd renders a toast with a delay. */
function Title({ toast: { title, shown } }: { toast: Toast }) {
  useEffect(() => {
    shown?.();
  }, [shown]);
  return title;
}

function Announce({ toast }: { toast: Toast }) {
  const { notification } = App.useApp();
  const count = useRef(0);
  useEffect(() => {
    const stop = keepToastsClear();
    return () => stop();
  }, []);
  useEffect(() => {
    count.current += 1;
    const key = `toast-${count.current}`;
    const listening = new AbortController();
    const early = { capture: true, signal: listening.signal };
    let before: EventTarget | null = null;
    let gone = false;

    const giveBack = () => {
      gone = true;
      if (before instanceof HTMLElement && toastAt(document.activeElement)) before.focus();
    };
    const show = (duration: number) => {
      const { kind, description, action } = toast;
      const press = () => {
        gone = true;
        notification.destroy(key);
        action?.run();
      };
      const title = <Title toast={toast} />;
      const role = kind === 'error' ? 'alert' : 'status';
      const actions = action && <Button onClick={press}>{action.label}</Button>;
      notification[kind]({ key, title, description, actions, role, duration, onClose: giveBack });
    };
    const hold = (event: FocusEvent) => {
      if (!toastAt(event.target)) return;
      event.stopPropagation();
      if (toastAt(event.relatedTarget)) return;
      before = event.relatedTarget;
      show(UNTIL_LEFT);
    };
    const release = (event: FocusEvent) => {
      if (!gone && toastAt(event.target) && !toastAt(event.relatedTarget)) show(SECONDS);
    };
    const dismiss = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !toastAt(document.activeElement)) return;
      event.stopPropagation();
      giveBack();
      notification.destroy(key);
    };
    show(SECONDS);
    document.addEventListener('focusin', hold, early);
    document.addEventListener('focusout', release, early);
    document.addEventListener('keydown', dismiss, early);
    return () => listening.abort();
  }, [toast, notification]);
  return null;
}

const SWIPE_THRESHOLD = 50;
const FOCUS_HOTKEY = 'F8';

function ToastGestures() {
  const { notification } = App.useApp();
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    let swipe: { toast: HTMLElement; startX: number } | null = null;

    const focusToast = (event: KeyboardEvent) => {
      const toast = document.querySelector<HTMLElement>(TOAST_SELECTOR);
      if (event.key !== FOCUS_HOTKEY || !toast) return;
      event.preventDefault();
      toast.tabIndex = -1;
      toast.focus();
    };
    const start = (event: PointerEvent) => {
      const toast = toastAt(event.target);
      swipe = toast && { toast, startX: event.clientX };
    };
    const move = (event: PointerEvent) => {
      if (swipe) swipe.toast.style.translate = `${event.clientX - swipe.startX}px 0`;
    };
    const end = (event: PointerEvent) => {
      if (!swipe) return;
      if (event.type === 'pointerup' && Math.abs(event.clientX - swipe.startX) >= SWIPE_THRESHOLD)
        notification.destroy();
      else swipe.toast.style.translate = '';
      swipe = null;
    };

    document.addEventListener('keydown', focusToast, { signal });
    document.addEventListener('pointerdown', start, { signal });
    document.addEventListener('pointermove', move, { signal });
    document.addEventListener('pointerup', end, { signal });
    document.addEventListener('pointercancel', end, { signal });
    return () => listening.abort();
  }, [notification]);
  return null;
}

/** antd's class is the only way to find a toast. */
const TOAST_SELECTOR = '.ant-notification-notice';

const TOP = '--notification-top';

const GAP = 8;
const EDGE = 24;
/** Largest width of a phone in pixels. The layout uses the same value. */
const PHONE = 560;

type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>;

const toastAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>(TOAST_SELECTOR) : null;

/**
 * Returns the first top position in pixels, at or below `start`, where the toast covers none of `boxes`.
 * Returns `start` if the toast would then extend below `floor`.
 */
export function clearTop(toast: Box, boxes: Box[], start: number, floor: number): number {
  const height = toast.bottom - toast.top;
  const inTheWay = boxes
    .filter(({ left, right }) => left < toast.right && right > toast.left)
    .sort((a, b) => a.top - b.top);
  let top = start;
  for (const box of inTheWay)
    if (box.bottom > top - GAP && box.top < top + height + GAP) top = box.bottom + GAP;
  return top + height <= floor ? top : start;
}

export function cornerTop(toast: Box, boxes: Box[], start: number, viewport: number): number {
  const corner = viewport - EDGE - (toast.bottom - toast.top);
  const isFree = clearTop(toast, boxes, corner, Infinity) === corner;
  return isFree ? corner : clearTop(toast, boxes, start, viewport - GAP);
}

const getBoxes = (selector: string) =>
  [...document.querySelectorAll(selector)]
    .map((element) => element.getBoundingClientRect())
    .filter(({ width }) => width > 0);

/** Moves the toast away from dialog buttons and elements with `data-keep-clear`. */
function place(): void {
  const toast = document.querySelector(TOAST_SELECTOR);
  if (!toast) return;
  const { innerHeight, innerWidth } = window;
  const { width, height } = toast.getBoundingClientRect();
  const phone = innerWidth <= PHONE;
  const buttons = getBoxes('[role=dialog] :is(button, a, [role=switch])');
  const boxes = [...buttons, ...getBoxes('[data-keep-clear]')];
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const right = innerWidth - (phone ? 0 : EDGE);
  const box = { top: 0, bottom: height, left: right - width - (phone ? EDGE : 0), right };
  const below = Math.max(header, 0) + GAP;
  const top =
    phone || buttons.length > 0
      ? clearTop(box, boxes, phone ? below : EDGE, innerHeight - GAP)
      : cornerTop(box, boxes, below, innerHeight);
  document.documentElement.style.setProperty(TOP, `${Math.round(top)}px`);
}

function keepToastsClear(): () => void {
  const listening = new AbortController();
  const options = { capture: true, passive: true, signal: listening.signal };
  for (const moved of ['scroll', 'resize', 'transitionend', 'animationend'])
    window.addEventListener(moved, place, options);
  const observer = new MutationObserver(place);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    listening.abort();
    observer.disconnect();
  };
}
