import { useEffect, useRef, useState } from 'react';
import { changesSince } from '../../../ui/edit-conflict';
import { persist, readPersisted, TYPED } from '../../../ui/persisted-state';
import type { EventFormFields } from './event-fields';

/** Milliseconds after the last key. */
const PAUSE = 300;

/** What was typed into the form and not saved. */
interface Typed {
  /** When. */
  at: string;
  changed: Partial<EventFormFields>;
}

/** What a person typed into the form of an event, or of a new one. */
export const typedKey = (userId: string, event: { id: string } | undefined) =>
  `${TYPED}event:${userId}:${event?.id ?? 'new'}`;

/** A browser's storage may hold anything. */
function read(key: string): Typed | null {
  try {
    const typed = JSON.parse(readPersisted(key) ?? 'null') as Typed | null;
    return typed && typeof typed.at === 'string' && typeof typed.changed === 'object' ? typed : null;
  } catch {
    return null;
  }
}

/**
 * Keeps what differs from `initial` in this browser until it is saved or discarded; a picture is too large for that. `earlier`: what
 * was left of the last time.
 */
export function useTypedFields(key: string, initial: EventFormFields, fields: EventFormFields) {
  const [earlier, setEarlier] = useState(() => read(key));
  const changes = changesSince(initial, fields);
  const changed = JSON.stringify({ ...changes, bannerImageUrl: undefined });
  const over = useRef(false);
  useEffect(() => {
    if (changed === '{}') return;
    const timer = setTimeout(() => {
      if (!over.current) persist(key, `{"at":"${new Date().toISOString()}","changed":${changed}}`);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [key, changed]);
  return {
    earlier,
    isChanged: Object.keys(changes).length > 0,
    answered: () => setEarlier(null),
    /** Removes the draft for good: its fields are saved or discarded. */
    forget: () => {
      over.current = true;
      persist(key, null);
    },
    /** What was left of the last time, but not what is typed now. */
    discardEarlier: () => {
      persist(key, null);
      setEarlier(null);
    },
  };
}
