import type { DoorGuest, DoorResult } from '@meetmark/contracts';
import { answerOf, asSeen, codeIn, countsOf, matching, objection, wasWrong, withResult } from './guest-list';

const guest = (name: string, given: Partial<DoorGuest> = {}): DoorGuest => ({
  ...{ id: name, name, state: 'registered', checkedInAt: null, codeDigest: '' },
  ...given,
});
const AT = '2030-05-01T18:07:00.000Z';
const EARLIER = '2030-05-01T18:01:00.000Z';
const CODE = 'AbCdEfGhIjKlMnOpQrSt-_';

it.each([
  [CODE, CODE],
  [` https://events.example/c/${CODE}\n`, CODE],
  [`https://events.example/c/${CODE}/`, CODE],
  [`https://events.example/events/${CODE}`, null],
  ['https://elsewhere.example', null],
  [`${CODE}x`, null],
  ['Anna', null],
])('reads %j as the code %j', (said, code) => expect(codeIn(said)).toBe(code));

it.each([
  ['', ['Zoë Müller-Strauß', 'Łukasz Ørsted', 'Anna Bell']],
  ['zoe', ['Zoë Müller-Strauß']],
  ['STRAUSS z', ['Zoë Müller-Strauß']],
  ['lukasz o', ['Łukasz Ørsted']],
  ['ell', []],
])('finds by %j', (typed, names) => {
  const guests = [guest('Zoë Müller-Strauß'), guest('Łukasz Ørsted'), guest('Anna Bell')];
  expect(matching(guests, typed).map(({ name }) => name)).toEqual(names);
});

describe('the list of a phone', () => {
  const guests = [guest('Anna'), guest('Ben', { checkedInAt: EARLIER })];
  const seen = (given: object) => ({ key: 'k', at: AT, name: 'Anna', ...given });

  it('shows what waits to be sent, by the real time, and the earlier of two moments', () => {
    const list = asSeen(guests, [seen({ guestId: 'Anna' }), seen({ guestId: 'Ben' })], 3_600_000);
    expect(list.map(({ checkedInAt }) => checkedInAt)).toEqual([
      '2030-05-01T17:07:00.000Z',
      '2030-05-01T17:07:00.000Z',
    ]);
    expect(asSeen(guests, [seen({ guestId: 'Ben' })], 0)[1]?.checkedInAt).toBe(EARLIER);
  });

  it('counts walk-ins, and not who was taken back', () => {
    const list = asSeen(
      guests,
      [seen({ walkIn: { email: null }, name: 'Wanda', key: 'w' }), seen({ undo: 'x', about: 'Ben' })],
      0,
    );
    expect(countsOf(list)).toEqual({ registered: 3, checkedIn: 1 });
  });

  it('takes what the server answers, and adds whom it did not know', () => {
    const snapshot = { guests, event: {}, counts: {}, expiresAt: AT } as never;
    const with1 = withResult(snapshot, seen({}), {
      key: 'k',
      result: 'already',
      guestId: 'Anna',
      at: EARLIER,
    });
    expect(with1.guests[0]?.checkedInAt).toBe(EARLIER);
    const back = withResult(with1, seen({ undo: 'k' }), {
      key: 'u',
      result: 'ok',
      guestId: 'Anna',
      at: null,
    });
    expect(back.guests[0]?.checkedInAt).toBeNull();
    const with2 = withResult(snapshot, seen({}), {
      key: 'k',
      result: 'ok',
      guestId: 'new',
      name: 'Nora',
      at: AT,
    });
    expect(with2.guests[2]).toMatchObject({ id: 'new', name: 'Nora', checkedInAt: AT });
    const with3 = withResult(snapshot, seen({}), {
      key: 'k',
      result: 'not-registered',
      guestId: 'Anna',
      state: 'cancelled',
    });
    expect(with3.guests[0]).toMatchObject({ state: 'cancelled', checkedInAt: null });
  });
});

it.each<[string, DoorGuest, boolean, true | undefined, object | null]>([
  ['lets in who has a place', guest('Anna'), false, undefined, null],
  [
    'says when somebody came',
    guest('Anna', { checkedInAt: AT }),
    false,
    undefined,
    { kind: 'already', at: AT },
  ],
  [
    'asks about who waits',
    guest('Anna', { state: 'waitlisted' }),
    false,
    undefined,
    { kind: 'not-registered', state: 'waitlisted' },
  ],
  [
    'asks about who cancelled',
    guest('Anna', { state: 'cancelled' }),
    false,
    undefined,
    { kind: 'not-registered', state: 'cancelled' },
  ],
  ['lets in whom it is told to', guest('Anna', { state: 'cancelled' }), false, true, null],
  ['lets nobody into a cancelled event', guest('Anna'), true, true, { kind: 'event-cancelled' }],
])('%s', (_, who, cancelled, override, answer) => {
  const said = objection(who, cancelled, override);
  if (answer) expect(said).toMatchObject(answer);
  else expect(said).toBeNull();
});

it.each<[DoorResult['result'], Partial<DoorResult>, object]>([
  ['ok', { at: AT }, { kind: 'in', name: 'Anna', key: 'k' }],
  ['already', { at: AT }, { kind: 'already', name: 'Anna', at: AT }],
  ['already', { at: null }, { kind: 'in', name: 'Anna', key: 'k' }],
  [
    'not-registered',
    { state: 'waitlisted', guestId: 'g' },
    { kind: 'not-registered', name: 'Anna', guestId: 'g', state: 'waitlisted' },
  ],
  ['wrong-event', { title: 'Another' }, { kind: 'wrong-event', title: 'Another' }],
  ['refused', { reason: 'event-cancelled' }, { kind: 'event-cancelled' }],
  ['unknown', {}, { kind: 'unknown' }],
])('says the result %s', (result, given, answer) =>
  expect(answerOf({ key: 'k', name: 'Anna', result, ...given })).toEqual(answer),
);

it.each<[DoorResult['result'], string | undefined, boolean]>([
  ['ok', undefined, false],
  ['already', undefined, false],
  ['not-registered', undefined, true],
  ['unknown', undefined, true],
  ['unknown', 'k', false],
])('takes %s for an earlier %s as a mistake: %s', (result, undo, wrong) =>
  expect(wasWrong({ key: 'k', at: AT, name: '', undo }, { key: 'k', result })).toBe(wrong),
);
