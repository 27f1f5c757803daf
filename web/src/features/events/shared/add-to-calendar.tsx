import { detailsText } from '@meetmark/contracts/texts/event-page';
import { Button } from 'antd';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { CalendarIcon, ChevronDownIcon } from '../../../ui/icons';
import { AgainButton, lazyComponent } from '../../../ui/lazy';
import type { CalendarEvent } from './calendar-links';
import styles from './event-details.module.css';

const CalendarLinks = lazyComponent(() => import('./calendar-links'), { Failed: AgainButton, waiting: null });

/** What the button of a mail leads to. */
const FROM_MAIL = '#add-to-calendar';

interface AddToCalendarProps {
  event: CalendarEvent;
  /** Whether it looks like a link among words. */
  plain?: boolean;
}

/** A button that unfolds the three ways into a calendar. */
export function AddToCalendar({ event, plain = false }: AddToCalendarProps) {
  const [open, setOpen] = useState(() => window.location.hash === FROM_MAIL);
  const whole = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  useEffect(() => {
    if (!open) return undefined;
    const listening = new AbortController();
    const leave = ({ target }: globalThis.Event) => {
      if (!whole.current?.contains(target as Node)) setOpen(false);
    };
    for (const type of ['pointerdown', 'focusin'])
      document.addEventListener(type, leave, { signal: listening.signal });
    return () => listening.abort();
  }, [open]);
  // The event stops before the dialog around hears it: Escape closes the innermost thing.
  const escape = (key: KeyboardEvent) => {
    if (key.key !== 'Escape' || !open) return;
    key.stopPropagation();
    setOpen(false);
    button.current?.focus();
  };
  return (
    <span ref={whole} className={styles.calendars} onKeyDown={escape}>
      <Button
        ref={button}
        type={plain ? 'link' : 'default'}
        className={plain ? styles.plain : undefined}
        icon={plain ? undefined : <CalendarIcon size={18} />}
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        onClick={() => setOpen(!open)}
      >
        {detailsText.addToCalendar}
        <ChevronDownIcon size={16} />
      </Button>
      {open && (
        <div id={menuId} className={styles.calendarLinks}>
          <CalendarLinks event={event} />
        </div>
      )}
    </span>
  );
}
