/** antd gives a toast no other name. */
export const TOAST_SELECTOR = '.ant-notification-notice';

/** Where antd's style sheet takes the upper edge of toasts from. */
const TOP = '--notification-top';

/** Pixels between a toast and what is beside it. */
const GAP = 8;
const EDGE = 24;
/** Pixels; the layout's own border between a phone and wider screens. */
const PHONE = 560;

type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>;

export const toastAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>(TOAST_SELECTOR) : null;

/** The first upper edge from `start` downwards at which the toast covers none of the boxes; `start` where there is none. */
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

/**
 * At the lower right of a wide screen. On a phone it stands under the header, and on any screen with a dialog over it
 * where it covers none of the dialog's buttons.
 */
function place(): void {
  const toast = document.querySelector(TOAST_SELECTOR);
  if (!toast) return;
  const { innerHeight, innerWidth } = window;
  const { width, height } = toast.getBoundingClientRect();
  const phone = innerWidth <= PHONE;
  const buttons = [...document.querySelectorAll('[role=dialog] :is(button, a, [role=switch])')].map(
    (button) => button.getBoundingClientRect(),
  );
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const right = innerWidth - (phone ? 0 : EDGE);
  const box = { top: 0, bottom: height, left: right - width - (phone ? EDGE : 0), right };
  const start = phone ? Math.max(header, 0) + GAP : EDGE;
  const top =
    phone || buttons.length > 0
      ? clearTop(box, buttons, start, innerHeight - GAP)
      : innerHeight - height - EDGE;
  document.documentElement.style.setProperty(TOP, `${Math.round(top)}px`);
}

/** Places toasts anew whenever something moves, before it is painted. */
export function keepToastsClear(): () => void {
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
