import { type RefObject, useEffect, useState } from 'react';

const CONTROLS = 'a[href], button, input, select, textarea, [tabindex]';

/** Whether one of the controls in an element takes the focus: the first that can, or the last. */
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
 * Remembers where an element stands. The answer gives the focus to it or, once it is gone, to what took its place: the next
 * row, the last one, what else its card holds. False where nothing around it is left.
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

/** Whether no control has the focus: the next Tab would begin at the top of the page. */
export const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;

/** antd would give the focus back before `close` is through: who presses Enter in between would open what is just closing, and see nothing. */
export const GIVEN_BACK_BY_US = { focusTriggerAfterClose: false };

/** Gives the focus back when the dialog is gone: to the control that opened it or, where that is gone too, to what took its place. */
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

/** While this is shown, what takes the place of a focused element that vanishes gets the focus; not while `waits` holds. */
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
    // A click beside all controls drops the focus on purpose. Some browsers report a removal in the same way.
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
