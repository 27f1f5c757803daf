import { type RefObject, useEffect, useState } from 'react';

const CONTROLS = 'a[href], button, input, select, textarea, [tabindex]';

function focusWithin(element: Element | null | undefined, which: 'first' | 'last' = 'first'): boolean {
  if (!element) return false;
  const controls = [element, ...element.querySelectorAll(CONTROLS)].filter(
    (control): control is HTMLElement =>
      control instanceof HTMLElement && control.matches(CONTROLS) && control.tabIndex >= 0,
  );
  if (which === 'last') controls.reverse();
  return controls.some((control) => {
    control.focus();
    return document.activeElement === control;
  });
}

/**
 * Remembers where the element is. The returned function focuses the element. If the element was removed, the
 * function focuses the next row, the last row or another part of its card, or returns false if there is none.
 */
export function focusPlace(element: Element): () => boolean {
  const around: { parent: Element; at: number }[] = [];
  for (
    let child = element;
    child !== document.body &&
    child.id !== 'content' &&
    child.parentElement &&
    child.parentElement !== document.body;
    child = child.parentElement
  )
    around.push({ parent: child.parentElement, at: [...child.parentElement.children].indexOf(child) });
  return () => {
    if (element instanceof HTMLElement && element !== document.body && element.isConnected) {
      element.focus({ preventScroll: true });
      if (document.activeElement === element) return true;
    }
    return around.some(
      ({ parent, at }) =>
        parent.isConnected &&
        (focusWithin(parent.children[at]) ||
          focusWithin(parent.lastElementChild, 'last') ||
          focusWithin(parent)),
    );
  };
}

export const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

/** antd returns the focus before `close` has finished. A dialog reopened at that time would close again. */
export const GIVEN_BACK_BY_US = { focusTriggerAfterClose: false };

export function useFocusGivenBack(): void {
  const [giveBack] = useState(() => focusPlace(document.activeElement ?? document.body));
  useEffect(
    () => () =>
      queueMicrotask(() => {
        if (isFocusLost() && !giveBack()) document.getElementById('content')?.focus();
      }),
    [giveBack],
  );
}

/** When the focused element is removed, focuses its replacement. Does nothing while `waits` is true. */
export function useFocusHandedOn(waits?: RefObject<boolean>): void {
  useEffect(() => {
    let last: { element: Element; handOn: () => boolean } | null = null;
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener(
      'focusin',
      ({ target }) => {
        if (target instanceof Element) last = { element: target, handOn: focusPlace(target) };
      },
      { signal },
    );
    // ignores clicks on the page: they drop the focus on purpose, but some browsers report a removal
    document.addEventListener(
      'focusout',
      ({ target }) =>
        queueMicrotask(() => {
          if (target === last?.element && last.element.isConnected && isFocusLost()) last = null;
        }),
      { signal },
    );
    const observer = new MutationObserver(() => {
      if (!last || last.element.isConnected) return;
      const { handOn } = last;
      last = null;
      if (isFocusLost() && !waits?.current) handOn();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      listening.abort();
      observer.disconnect();
    };
  }, [waits]);
}
