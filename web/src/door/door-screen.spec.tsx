import { jest } from '@jest/globals';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DoorScreen } from './door-screen';
import type { Answer } from './guest-list';
import type { DoorPhone, PhoneState } from './phone';
import { Camera } from './camera';

describe('The screen of the door', () => {
  const AT = '2030-05-01T18:07:00';
  const STATE: PhoneState = {
    link: 'open',
    online: true,
    event: { id: 'e', title: 'An evening', startDate: AT, endDate: AT, cancelled: false },
    guests: [{ id: 'anna', name: 'Anna Bell', state: 'registered', checkedInAt: null, codeDigest: '' }],
    counts: { registered: 60, checkedIn: 41 },
    waiting: 0,
    mistakes: [],
    refused: [],
    forgetful: false,
  };

  /** A phone that answers so, the second time as `next`. */
  function open(answer: Answer, next: Answer = answer) {
    const choose = jest.fn<DoorPhone['choose']>().mockResolvedValueOnce(answer).mockResolvedValue(next);
    const undo = jest.fn<DoorPhone['undo']>().mockResolvedValue(next);
    const phone = { subscribe: () => () => undefined, now: () => STATE, choose, undo };
    render(<DoorScreen phone={phone as unknown as DoorPhone} />);
    return phone;
  }
  const press = async (name: string | RegExp) => {
    const button = screen.getByRole('button', { name });
    button.focus();
    await act(async () => button.click());
  };
  /** What is said, and in which colour. */
  const panel = (words: string | RegExp) => {
    const said = screen.getByText(words).closest<HTMLElement>('[data-tone]')!;
    return { tone: said.dataset['tone'], buttons: within(said).queryAllByRole('button') };
  };

  beforeEach(() => {
    jest.useFakeTimers();
    document.documentElement.lang = 'en-US';
  });
  afterEach(() => jest.useRealTimers());

  it('counts who is in', () => {
    open({ kind: 'unknown' });
    screen.getByText('41 of 60');
  });

  it('takes who is looked for by the button of the search, too', async () => {
    const phone = open({ kind: 'unknown' });
    fireEvent.change(screen.getByLabelText('Find a guest'), { target: { value: 'Anna' } });
    const button = screen.getByRole('button', { name: 'Search' });
    expect(button.closest('form')?.getAttribute('role')).toBe('search');
    await press('Search');
    expect(phone.choose).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Answer, tone: string, words: string | RegExp, override: boolean]>([
    ['who is in already', { kind: 'already', name: 'Anna', at: AT }, 'careful', /already in at 6:07/, false],
    [
      'who waits',
      { kind: 'not-registered', name: 'Anna', guestId: 'anna', state: 'waitlisted' },
      'careful',
      'is on the waiting list',
      true,
    ],
    [
      'who gave the place up',
      { kind: 'not-registered', name: 'Anna', guestId: 'anna', state: 'cancelled' },
      'careful',
      'is not coming any more',
      true,
    ],
    ['no free place', { kind: 'full', name: 'Wanda', email: null }, 'careful', 'No place is free', true],
    [
      'the code of another event',
      { kind: 'wrong-event', title: 'Tea' },
      'bad',
      'This code is for “Tea”',
      false,
    ],
    ['an unknown code', { kind: 'unknown' }, 'bad', 'This code is unknown', false],
  ])('says of %s what it is, by its colour too, and whether it may be overridden', async (...given) => {
    const [, answer, tone, words, override] = given;
    open(answer);
    await press(/Anna Bell/);
    const { tone: shown, buttons } = panel(words);
    expect([shown, buttons.map(({ textContent }) => textContent)]).toEqual([
      tone,
      override ? ['Let in anyway'] : [],
    ]);
  });

  it('tells the time as the language of the page does, not that of the phone', async () => {
    document.documentElement.lang = 'de';
    open({ kind: 'already', name: 'Anna', at: AT });
    await press(/Anna Bell/);
    expect(panel('already in at 18:07').tone).toBe('careful');
  });

  it('lets in who has no place when the door says so', async () => {
    const { choose } = open(
      { kind: 'not-registered', name: 'Anna Bell', guestId: 'anna', state: 'cancelled' },
      { kind: 'in', name: 'Anna Bell', key: 'k' },
    );
    await press(/Anna Bell/);
    await press('Let in anyway');
    expect(choose).toHaveBeenLastCalledWith('anna', true);
    expect(panel('Anna Bell is in').tone).toBe('good');
  });

  it('takes a check-in back, and the keyboard keeps a place', async () => {
    const { undo } = open({ kind: 'in', name: 'Anna Bell', key: 'k' }, { kind: 'undone', name: 'Anna Bell' });
    await press(/Anna Bell/);
    await press('Undo');
    expect(undo).toHaveBeenCalledWith('k', 'Anna Bell');
    expect(panel('Anna Bell is not in any more').buttons).toEqual([]);
    expect(document.activeElement).not.toBe(document.body);
  });

  it('offers no undo after ten seconds, and the keyboard keeps a place', async () => {
    open({ kind: 'in', name: 'Anna Bell', key: 'k' });
    await press(/Anna Bell/);
    screen.getByRole('button', { name: 'Undo' }).focus();
    await act(() => jest.advanceTimersByTimeAsync(9_900));
    screen.getByRole('button', { name: 'Undo' });
    await act(() => jest.advanceTimersByTimeAsync(200));
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    panel('Anna Bell is in');
    expect(document.activeElement).not.toBe(document.body);
  });

  it('counts the ten seconds from the check-in, however late it was answered', async () => {
    const phone = open({ kind: 'unknown' });
    phone.choose.mockReset().mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return { kind: 'in', name: 'Anna Bell', key: 'k' };
    });
    await press(/Anna Bell/);
    await act(() => jest.advanceTimersByTimeAsync(1_500));
    await act(() => jest.advanceTimersByTimeAsync(8_400));
    screen.getByRole('button', { name: 'Undo' });
    await act(() => jest.advanceTimersByTimeAsync(200));
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('says that a check-in was taken back too late, and who can do it', async () => {
    open({ kind: 'in', name: 'Anna Bell', key: 'k' }, { kind: 'undo-too-late', name: 'Anna Bell' });
    await press(/Anna Bell/);
    await press('Undo');
    expect(panel('Anna Bell is in').tone).toBe('careful');
    screen.getByText(/the organisers take a check-in back, under Guests/);
  });
});

describe('The camera at the door', () => {
  const withCamera = (mediaDevices: object | undefined) => {
    if (mediaDevices)
      Object.defineProperty(navigator, 'mediaDevices', { value: mediaDevices, configurable: true });
    else delete (navigator as { mediaDevices?: unknown }).mediaDevices;
  };
  afterEach(() => withCamera(undefined));

  it.each<[string, object | undefined, RegExp]>([
    [
      'it is not allowed',
      { getUserMedia: () => Promise.reject(new DOMException('', 'NotAllowedError')) },
      /not allowed/,
    ],
    [
      'there is none',
      { getUserMedia: () => Promise.reject(new DOMException('', 'NotFoundError')) },
      /no camera/,
    ],
    ['the page came without HTTPS', undefined, /no camera/],
  ])('says what to do instead when %s, and can be tried again', async (_, camera, words) => {
    withCamera(camera);
    render(<Camera onCode={() => undefined} />);
    await userEvent.click(screen.getByRole('button', { name: 'Scan codes' }));
    expect((await screen.findByText(words)).textContent).toMatch(/find guests by name/i);
    expect(screen.queryByLabelText('What the camera sees')).toBeNull();
    screen.getByRole('button', { name: 'Scan codes' });
  });
});
