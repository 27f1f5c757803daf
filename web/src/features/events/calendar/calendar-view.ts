import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { persist, readPersisted } from '../../../ui/persisted-state';

export type CalendarView = 'month' | 'agenda';

const REMEMBERED = 'events-view';

const isView = (text: string | null): text is CalendarView => text === 'month' || text === 'agenda';

/** The view that the address asks for, else the one this browser used last, else the month. */
export function useCalendarView(): [CalendarView, (view: CalendarView) => void] {
  const [search, setSearch] = useSearchParams();
  const [view, setView] = useState(() => {
    const asked = search.get('view');
    const remembered = readPersisted(REMEMBERED);
    return isView(asked) ? asked : isView(remembered) ? remembered : 'month';
  });
  const choose = (next: CalendarView) => {
    setView(next);
    persist(REMEMBERED, next);
    setSearch(
      (current) => {
        current.set('view', next);
        return current;
      },
      { replace: true },
    );
  };
  return [view, choose];
}
