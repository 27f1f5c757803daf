import { useEffect, useRef, useState } from 'react';
import { changesSince } from '../../../ui/edit-conflict';
import { persist, readPersisted, TYPED } from '../../../ui/persisted-state';

/** Milliseconds between the last change and storing the input. */
const PAUSE = 300;

interface Typed<Fields> {
  at: string;
  changed: Partial<Fields>;
}

export const typedKey = (userId: string, event: { id: string } | undefined) =>
  `${TYPED}event:${userId}:${event?.id ?? 'new'}`;

export const typedMessageKey = (userId: string, eventId: string, message: { id: string } | undefined) =>
  `${TYPED}message:${userId}:${eventId}:${message?.id ?? 'new'}`;

export const typedSettingsKey = (userId: string) => `${TYPED}settings:${userId}`;

/** Returns null if the stored value is missing or invalid. */
function read<Fields>(key: string): Typed<Fields> | null {
  try {
    const typed = JSON.parse(readPersisted(key) ?? 'null') as Typed<Fields> | null;
    return typed && Date.parse(typed.at) > 0 && typeof typed.changed === 'object' ? typed : null;
  } catch {
    return null;
  }
}

const NOT_KEPT = {
  bannerImageUrl: undefined,
  coverPattern: undefined,
  coverSquare: undefined,
  coverWide: undefined,
};

/** Stores how `fields` differs from `initial`, without images. `earlier` is what a previous visit stored. */
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
  const isStored = useRef(false);
  useEffect(() => {
    const isEmpty = changed === '{}';
    if (isEmpty && !isStored.current) return;
    const timer = setTimeout(() => {
      if (over.current) return;
      isStored.current = !isEmpty;
      persist(key, isEmpty ? null : `{"at":"${new Date().toISOString()}","changed":${changed}}`);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [key, changed]);
  return {
    earlier,
    answered: () => setEarlier(null),
    forget: () => {
      over.current = true;
      persist(key, null);
    },
    discardEarlier: () => {
      persist(key, null);
      setEarlier(null);
    },
  };
}
