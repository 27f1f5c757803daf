import { detailsText } from '@meetmark/i18n/texts/event-page';
import { Button } from 'antd';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { CalendarIcon, ChevronDownIcon } from '../../../ui/icons';
import { lazyPart } from '../../../ui/lazy';
import type { CalendarEvent } from './calendar-links';
import styles from './event-details.module.css';

const CalendarLinks = lazyPart(() => import('./calendar-links'));

const FROM_MAIL = 'add-to-calendar';

interface AddToCalendarProps {
  event: CalendarEvent;
  plain?: boolean;
}

export function AddToCalendar({ event, plain = false }: AddToCalendarProps) {
  const [open, setOpen] = useState(() => window.location.hash === `#${FROM_MAIL}`);
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
  // closes only the menu on Escape, not the surrounding dialog
  const escape = (key: KeyboardEvent) => {
    if (key.key !== 'Escape' || !open) return;
    key.stopPropagation();
    setOpen(false);
    button.current?.focus();
  };
  return (
    <span ref={whole} id={FROM_MAIL} className={styles.calendars} onKeyDown={escape}>
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
