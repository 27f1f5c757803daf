import type { DoorGuest, DoorItem, DoorResult, DoorSnapshot, RegistrationStatus } from '@meetmark/contracts';

/** A change that the server hasn't answered yet. Its times come from the phone's clock. */
export interface Seen extends DoorItem {
  name: string;
  about?: string;
  walkIn?: { email: string | null };
}

export type Answer =
  | { kind: 'in'; name: string; key: string }
  | { kind: 'already'; name: string; at: string }
  | { kind: 'not-registered'; name: string; guestId: string; state: RegistrationStatus }
  | { kind: 'wrong-event'; title: string }
  /** `code` is set only if the server didn't answer. The server may know the code. */
  | { kind: 'unknown'; code?: string }
  | { kind: 'event-cancelled' }
  | { kind: 'full'; name: string; email: string | null }
  | { kind: 'no-address'; name: string }
  | { kind: 'refused'; name: string; reason: string }
  | { kind: 'undone'; name: string }
  | { kind: 'undo-too-late'; name: string };

const CODE = /(?:^|\/c\/)([\w-]{22})\/?$/;

export const codeIn = (text: string): string | null => CODE.exec(text.trim())?.[1] ?? null;

const MARKS = /\p{M}/gu;
const PLAIN: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' };
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(MARKS, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđłı]/g, (letter) => PLAIN[letter] ?? letter);

export function matching(guests: DoorGuest[], typed: string): DoorGuest[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  return guests.filter(({ name }) => {
    const names = plain(name).split(/[\s-]+/);
    return words.every((word) => names.some((part) => part.startsWith(word)));
  });
}

/** Applies this phone's unsent changes to the guests. The phone's clock is `ahead` milliseconds fast. */
export function asSeen(guests: DoorGuest[], seen: Seen[], ahead: number): DoorGuest[] {
  if (seen.length === 0) return guests;
  const list = new Map(guests.map((guest) => [guest.id, guest]));
  for (const { key, guestId, about, at, undo, walkIn, name } of seen) {
    const real = new Date(Date.parse(at) - ahead).toISOString();
    if (walkIn) list.set(key, { id: key, name, state: 'registered', checkedInAt: real, codeDigest: '' });
    const guest = list.get(guestId ?? about ?? '');
    if (!guest) continue;
    const first = guest.checkedInAt !== null && guest.checkedInAt < real ? guest.checkedInAt : real;
    list.set(guest.id, { ...guest, checkedInAt: undo === undefined ? first : null });
  }
  return [...list.values()];
}

export const countGuests = (guests: DoorGuest[]) => ({
  registered: guests.filter(({ state }) => state === 'registered').length,
  checkedIn: guests.filter(({ checkedInAt }) => checkedInAt !== null).length,
});

export function objection(guest: DoorGuest, cancelled: boolean, override = false): Answer | null {
  const { id, name, state, checkedInAt } = guest;
  if (cancelled) return { kind: 'event-cancelled' };
  if (checkedInAt !== null) return { kind: 'already', name, at: checkedInAt };
  return state === 'registered' || override ? null : { kind: 'not-registered', name, guestId: id, state };
}

export function toAnswer({ key, result, guestId, name = '', at, state, title, reason }: DoorResult): Answer {
  switch (result) {
    case 'ok':
      return { kind: 'in', name, key };
    case 'already':
      return at ? { kind: 'already', name, at } : { kind: 'in', name, key };
    case 'not-registered':
      return { kind: 'not-registered', name, guestId: guestId ?? '', state: state ?? 'cancelled' };
    case 'wrong-event':
      return { kind: 'wrong-event', title: title ?? '' };
    case 'refused':
      return reason === 'undo-too-late' ? { kind: reason, name } : { kind: 'event-cancelled' };
    case 'unknown':
      return { kind: 'unknown' };
  }
}

export function withResult(snapshot: DoorSnapshot, item: Seen, result: DoorResult): DoorSnapshot {
  const { guestId, name = item.name, at, state } = result;
  if (guestId === undefined) return snapshot;
  const isIn = result.result === 'ok' || result.result === 'already' || result.reason === 'undo-too-late';
  const known = snapshot.guests.find(({ id }) => id === guestId);
  const guest: DoorGuest = {
    ...(known ?? { id: guestId, name, state: 'registered', checkedInAt: null, codeDigest: '' }),
    ...(isIn && { checkedInAt: at ?? null }),
    ...(state && { state }),
  };
  const guests = known
    ? snapshot.guests.map((other) => (other.id === guestId ? guest : other))
    : [...snapshot.guests, guest];
  return { ...snapshot, guests };
}

/** Returns whether a guest was let in wrongly. `already` only means that another phone was faster. */
export const wasWrong = ({ undo }: Seen, { result }: DoorResult): boolean =>
  undo === undefined && result !== 'ok' && result !== 'already';
