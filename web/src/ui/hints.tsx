import { Tooltip } from 'antd';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';

/** Milliseconds that the pointer must rest on an icon before the hint opens. */
const OPENS_AFTER = 700;
/** Milliseconds after a hint has closed in which the next hint opens immediately. */
const NEXT_WITHIN = 300;
/** Milliseconds before a hint closes, to let the pointer move from the icon to the hint. */
const CLOSES_AFTER = 100;

/** Excludes switches, which have a visible label. */
const CONTROLS = 'button:not([role="switch"]), a[href], [role="button"]';
const UNSEEN = '.visually-hidden, [aria-hidden="true"]';

interface Hint {
  control: Element;
  words: string;
}

function unseenName(control: Element): string | null {
  const texts = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const { parentElement, nodeValue } = text;
    if (nodeValue?.trim() && parentElement?.checkVisibility() && !parentElement.closest(UNSEEN)) return null;
  }
  return control.getAttribute('aria-label') ?? control.querySelector('.visually-hidden')?.textContent ?? null;
}

export default function Hints(): ReactNode {
  const [hint, setHint] = useState<Hint | null>(null);
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let at: Element | null = null;
    let shown: Element | null = null;
    let closedAt = -Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const open = (control: Element, words: string) => {
      shown = control;
      setHint({ control, words });
    };
    const close = () => {
      clearTimeout(timer);
      if (!shown) return;
      shown = null;
      closedAt = performance.now();
      setHint(null);
    };
    const go = (target: EventTarget | null) => {
      const element = target instanceof Element ? target : null;
      const control = layer.current?.contains(element) ? shown : (element?.closest(CONTROLS) ?? null);
      if (control === at) return;
      at = control;
      clearTimeout(timer);
      if (control !== null && control === shown) return;
      const words = control && unseenName(control);
      if (words) {
        const isNext = shown !== null || performance.now() - closedAt < NEXT_WITHIN;
        timer = setTimeout(() => open(control, words), isNext ? 0 : OPENS_AFTER);
      } else timer = setTimeout(close, CLOSES_AFTER);
    };

    const listening = new AbortController();
    const on = <Type extends keyof DocumentEventMap>(
      type: Type,
      listener: (event: DocumentEventMap[Type]) => void,
    ) => document.addEventListener(type, listener, { capture: true, signal: listening.signal });
    on('pointerover', ({ target, pointerType }) => {
      if (pointerType !== 'touch') go(target);
    });
    on('pointerout', ({ relatedTarget }) => {
      if (relatedTarget === null) go(null);
    });
    on('focusin', ({ target }) => {
      if (target instanceof Element && target.matches(':focus-visible')) go(target);
    });
    on('focusout', ({ target }) => {
      if (target instanceof Node && at?.contains(target)) go(null);
    });
    on('pointerdown', close);
    on('click', close);
    on('keydown', ({ key }) => {
      if (key === 'Escape') close();
    });
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, []);
  // hidden from screen readers, which already announce the icon's name
  return (
    <div ref={layer} aria-hidden="true">
      {hint && (
        <Tooltip
          open
          title={hint.words}
          placement="bottom"
          trigger={[]}
          styles={{ container: { minHeight: 0 } }}
          getPopupContainer={() => layer.current ?? document.body}
        >
          <StandIn control={hint.control} />
        </Tooltip>
      )}
    </div>
  );
}

function StandIn({ control, ref }: { control: Element; ref?: Ref<Element> }) {
  useImperativeHandle(ref, () => control, [control]);
  return null;
}
