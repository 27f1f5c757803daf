import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { focusPlace, isFocusLost } from '../../ui/focus-place';

const heading = () => document.querySelector<HTMLElement>('#content h1');

/**
 * Keeps the focus where the reader is. A new `screen` is announced and its heading takes the focus. When the focused element
 * vanishes, the element in its place takes the focus.
 */
export function ScreenFocus({ screen }: { screen: string }) {
  const [announced, announce] = useState('');
  const shown = useRef(screen);
  const arriving = useRef(false);

  useLayoutEffect(() => {
    if (shown.current === screen) return undefined;
    shown.current = screen;
    arriving.current = true;
    const from = document.activeElement;
    const arrive = () => {
      const title = heading();
      if (!title) return false;
      arriving.current = false;
      announce(title.textContent);
      // A reader who has moved on meanwhile keeps their place.
      if (isFocusLost() || document.activeElement === from) {
        title.tabIndex = -1;
        title.focus({ preventScroll: true });
      }
      return true;
    };
    if (arrive()) return undefined;
    const observer = new MutationObserver(() => arrive() && observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      arriving.current = false;
      observer.disconnect();
    };
  }, [screen]);

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
      if (isFocusLost() && !arriving.current) handOn();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      listening.abort();
      observer.disconnect();
    };
  }, []);

  return (
    <p className="visually-hidden" aria-live="polite">
      {announced}
    </p>
  );
}
