import { useLayoutEffect, useRef, useState } from 'react';
import { isFocusLost, useFocusHandedOn } from '../../ui/focus-place';

const heading = () => document.querySelector<HTMLElement>('#content h1');

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
      // doesn't take the focus if the reader has moved it in the meantime
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

  useFocusHandedOn(arriving);

  return (
    <p className="visually-hidden" aria-live="polite">
      {announced}
    </p>
  );
}
