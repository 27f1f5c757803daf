import { useEffect, useRef, useState } from 'react';
import { changesSince } from '../../../ui/edit-conflict';
import { persist, readPersisted, TYPED } from '../../../ui/persisted-state';

/** Milliseconds after the last key. */
const PAUSE = 300;

/** What was typed into the form and not saved. */
interface Typed<Fields> {
  /** When. */
  at: string;
  changed: Partial<Fields>;
}

/** What a person typed into the form of an event, or of a new one. */
export const typedKey = (userId: string, event: { id: string } | undefined) =>
  `${TYPED}event:${userId}:${event?.id ?? 'new'}`;

/** What a person typed into a message about an event, or into a new one. */
export const typedMessageKey = (userId: string, eventId: string, message: { id: string } | undefined) =>
  `${TYPED}message:${userId}:${eventId}:${message?.id ?? 'new'}`;

/** What an owner typed into the legal pages. */
export const typedSettingsKey = (userId: string) => `${TYPED}settings:${userId}`;

/** A browser's storage may hold anything. */
function read<Fields>(key: string): Typed<Fields> | null {
  try {
    const typed = JSON.parse(readPersisted(key) ?? 'null') as Typed<Fields> | null;
    return typed && typeof typed.at === 'string' && typeof typed.changed === 'object' ? typed : null;
  } catch {
    return null;
  }
}

/** A picture, and what says something about it. */
const NOT_KEPT = {
  bannerImageUrl: undefined,
  coverPattern: undefined,
  coverSquare: undefined,
  coverWide: undefined,
};

/**
 * Keeps what differs from `initial` in this browser until it is saved or discarded; a picture is too large for that. `earlier`: what
 * was left of the last time. `holds` hears whether anything differs.
 */
export function useTypedFields<Fields extends object>(
  key: string,
  initial: Fields,
  fields: Fields,
  holds?: (changes: boolean) => void,
) {
  const [earlier, setEarlier] = useState(() => read<Fields>(key));
  const changes = changesSince(initial, fields);
  const changed = JSON.stringify({ ...changes, ...NOT_KEPT });
  const isChanged = Object.keys(changes).length > 0;
  useEffect(() => {
    holds?.(isChanged);
  }, [holds, isChanged]);
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
