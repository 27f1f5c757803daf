import { jest } from '@jest/globals';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DoorScreen } from './door-screen';
import type { Answer } from './guest-list';
import type { DoorPhone, PhoneState } from './phone';
import { Camera } from './camera';

describe('The door screen', () => {
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
  const panel = (words: string | RegExp) => {
    const said = screen.getByText(words).closest<HTMLElement>('[data-tone]')!;
    return { tone: said.dataset['tone'], buttons: within(said).queryAllByRole('button') };
  };

  beforeEach(() => {
    jest.useFakeTimers();
    document.documentElement.lang = 'en-US';
  });

  it('counts guests, and chooses the only match when Search is pressed', async () => {
    const phone = open({ kind: 'unknown' });
    screen.getByText('41 of 60');
    fireEvent.change(screen.getByLabelText('Find a guest'), { target: { value: 'Anna' } });
    const button = screen.getByRole('button', { name: 'Search' });
    expect(button.closest('form')?.getAttribute('role')).toBe('search');
    await press('Search');
    expect(phone.choose).toHaveBeenCalledTimes(1);
  });

  const absent = { kind: 'not-registered', name: 'Anna', guestId: 'anna' } as const;
  it.each<[string, Answer, tone: string, words: string | RegExp, override: boolean]>([
    ['a guest who is in', { kind: 'already', name: 'Anna', at: AT }, 'careful', /already in at 6:07/, false],
    ['a waiting guest', { ...absent, state: 'waitlisted' }, 'careful', 'is on the waiting list', true],
    ['a guest who cancelled', { ...absent, state: 'cancelled' }, 'careful', 'is no longer coming', true],
    ['a full event', { kind: 'full', name: 'Wanda', email: null }, 'careful', 'No places left', true],
    ['another code', { kind: 'wrong-event', title: 'Tea' }, 'bad', 'This code is for “Tea”', false],
    ['an unknown code', { kind: 'unknown' }, 'bad', 'This code is unknown', false],
  ])('explains %s in text and colour, and offers “Let in anyway” if allowed', async (...given) => {
    const [, answer, tone, words, override] = given;
    open(answer);
    await press(/Anna Bell/);
    const { tone: shown, buttons } = panel(words);
    const offered = buttons.map(({ textContent }) => textContent);
    expect([shown, offered]).toEqual([tone, override ? ['Let in anyway'] : []]);
  });

  it('formats times in the language of the page', async () => {
    document.documentElement.lang = 'de';
    open({ kind: 'already', name: 'Anna', at: AT });
    await press(/Anna Bell/);
    expect(panel('already in at 18:07').tone).toBe('careful');
  });

  it('admits a guest who cancelled when “Let in anyway” is pressed', async () => {
    const { choose } = open(
      { kind: 'not-registered', name: 'Anna Bell', guestId: 'anna', state: 'cancelled' },
      { kind: 'in', name: 'Anna Bell', key: 'k' },
    );
    await press(/Anna Bell/);
    await press('Let in anyway');
    expect(choose).toHaveBeenLastCalledWith('anna', true);
    expect(panel('Anna Bell is in').tone).toBe('good');
  });

  it('undoes a check-in without losing the keyboard focus', async () => {
    const { undo } = open({ kind: 'in', name: 'Anna Bell', key: 'k' }, { kind: 'undone', name: 'Anna Bell' });
    await press(/Anna Bell/);
    await press('Undo');
    expect(undo).toHaveBeenCalledWith('k', 'Anna Bell');
    expect(panel('Anna Bell is no longer checked in').buttons).toEqual([]);
    expect(document.activeElement).not.toBe(document.body);
  });

  it('hides Undo ten seconds after the check-in, even if the response is late', async () => {
    const phone = open({ kind: 'unknown' });
    phone.choose.mockReset().mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return { kind: 'in', name: 'Anna Bell', key: 'k' };
    });
    await press(/Anna Bell/);
    await act(() => jest.advanceTimersByTimeAsync(1_500));
    screen.getByRole('button', { name: 'Undo' }).focus();
    await act(() => jest.advanceTimersByTimeAsync(8_400));
    screen.getByRole('button', { name: 'Undo' });
    await act(() => jest.advanceTimersByTimeAsync(200));
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    panel('Anna Bell is in');
    expect(document.activeElement).not.toBe(document.body);
  });

  it('says that only organisers can undo a check-in when it is too late', async () => {
    open({ kind: 'in', name: 'Anna Bell', key: 'k' }, { kind: 'undo-too-late', name: 'Anna Bell' });
    await press(/Anna Bell/);
    await press('Undo');
    expect(panel('Anna Bell is in').tone).toBe('careful');
    screen.getByText(/only organisers can undo a check-in, under Guests/);
  });
});

describe('The camera at the door', () => {
  const withCamera = (mediaDevices: object | undefined) => {
    if (mediaDevices)
      Object.defineProperty(navigator, 'mediaDevices', { value: mediaDevices, configurable: true });
    else delete (navigator as { mediaDevices?: unknown }).mediaDevices;
  };
  afterEach(() => withCamera(undefined));

  const refuse = (name: string) => ({ getUserMedia: () => Promise.reject(new DOMException('', name)) });
  it.each<[string, object | undefined, RegExp]>([
    ['access is denied', refuse('NotAllowedError'), /access is blocked/],
    ['there is no camera', refuse('NotFoundError'), /no usable camera/],
    ['the page was loaded without HTTPS', undefined, /no usable camera/],
  ])('says what to do when %s, and offers to try again', async (_, camera, words) => {
    withCamera(camera);
    render(<Camera onCode={() => undefined} />);
    await userEvent.click(screen.getByRole('button', { name: 'Scan codes' }));
    expect((await screen.findByText(words)).textContent).toMatch(/find guests by name/i);
    expect(screen.queryByLabelText('Camera view')).toBeNull();
    screen.getByRole('button', { name: 'Scan codes' });
  });
});
