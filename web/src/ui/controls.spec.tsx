import { jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ComponentType, useState, useEffect } from 'react';
import userEvent from '@testing-library/user-event';
import decodeQR from 'qr/decode.js';
import type { ErrorCode } from '@meetmark/contracts';
import Hints from './hints';
import { pressForPart, renderScreen, WithoutStyles } from '../testing/render-screen';
import { AwaitedParts, lazyDialog } from './lazy';
import { Avatar, type AvatarPerson } from './marks';
import { MoreMenu } from './more-menu';
import { OfflineNotice } from './offline';
import { QrCode, qrSvg } from './qr-code';
import { Dialog } from './dialog';
import { Sheet } from './sheet';
import ToastOutlet, { clearTop, cornerTop } from './toast-outlet';
import type { Toast } from './toasts';
import { followTyping } from './type-ahead';
import { focusPlace } from './focus-place';
import { inThisTab, persist, readPersisted } from './persisted-state';
import { ApiError } from '../api/client';
import { whatToDo } from './what-to-do';
import { mailDraft } from './mail-draft';

const icons = (
  <>
    <button aria-label="Open menu">
      <svg />
    </button>
    <button>
      <span aria-hidden="true">AL</span>
      <span className="visually-hidden">Account menu</span>
    </button>
    <button aria-label="Register: Attribution breakfast">Register</button>
    <button role="switch" aria-label="Paid" />
    <a href="/">
      <svg /> Home
    </a>
    <p>Elsewhere</p>
  </>
);

const control = (name: string) => screen.getByRole('button', { name });
const hint = () => document.querySelector('[role="tooltip"]')?.textContent ?? null;
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
/** jsdom has no PointerEvent, but a MouseEvent has the properties that the listeners read. */
const point = (element: Element, event: string, { pointerType = 'mouse', clientX = 0 } = {}) =>
  fireEvent(element, Object.assign(new MouseEvent(event, { bubbles: true, clientX }), { pointerType }));
const pointerOn = (element: Element, pointerType?: string) => point(element, 'pointerover', { pointerType });
const tabTo = (element: HTMLElement) => {
  fireEvent.keyDown(document.activeElement!, { key: 'Tab' });
  act(() => element.focus());
};
const elsewhere = () => pointerOn(screen.getByText('Elsewhere'));

describe('The tooltip of an icon button', () => {
  const expectAfter = async (milliseconds: number, text: string | null) => {
    await pass(milliseconds);
    expect(hint()).toBe(text);
  };
  beforeEach(() => {
    jest.useFakeTimers();
    render(
      <WithoutStyles>
        {icons}
        <Hints />
      </WithoutStyles>,
    );
  });
  afterEach(async () => {
    cleanup();
    await pass(1_000);
    jest.useRealTimers();
  });

  it('opens after 700 ms, or immediately within 300 ms after another tooltip', async () => {
    pointerOn(control('Open menu'));
    await pass(700);
    pointerOn(control('Account menu'));
    await expectAfter(0, 'Account menu');
    for (const [gap, opensAfter] of [
      [299, 0],
      [300, 700],
    ] as const) {
      elsewhere();
      await expectAfter(100, null);
      await pass(gap);
      pointerOn(control('Open menu'));
      if (opensAfter > 0) await expectAfter(opensAfter - 1, null);
      await expectAfter(Math.min(opensAfter, 1), 'Open menu');
    }
    // screen readers read the button's name instead
    expect(screen.queryByRole('tooltip')).toBeNull();
    expect(control('Open menu').hasAttribute('aria-describedby')).toBe(false);
  });

  it('opens on keyboard focus, closes on Escape, and reopens when focused again', async () => {
    tabTo(control('Open menu'));
    await expectAfter(700, 'Open menu');
    fireEvent.keyDown(control('Open menu'), { key: 'Escape' });
    await expectAfter(2_000, null);
    tabTo(screen.getByRole('switch'));
    await expectAfter(1_000, null);
    tabTo(control('Open menu'));
    await expectAfter(700, 'Open menu');
    act(() => control('Open menu').blur());
    await expectAfter(100, null);
  });

  it('stays closed after a press until the pointer has left the button', async () => {
    const menu = control('Open menu');
    pointerOn(menu);
    await pass(300);
    point(menu, 'pointerdown');
    await expectAfter(2_000, null);
    elsewhere();
    pointerOn(menu);
    await expectAfter(700, 'Open menu');
    fireEvent.click(menu);
    await expectAfter(2_000, null);
  });

  it('stays open while the pointer is on the tooltip', async () => {
    pointerOn(control('Open menu'));
    await pass(700);
    elsewhere();
    await pass(99);
    pointerOn(document.querySelector('[role="tooltip"]')!);
    await expectAfter(2_000, 'Open menu');
    elsewhere();
    await expectAfter(100, null);
  });

  it('is not shown for touch, switches or controls with text', async () => {
    pointerOn(control('Open menu'), 'touch');
    await expectAfter(2_000, null);
    const register = control('Register: Attribution breakfast');
    for (const worded of [register, screen.getByRole('switch'), screen.getByRole('link')]) {
      pointerOn(worded);
      await expectAfter(2_000, null);
    }
  });
});

interface Closable {
  close: () => void;
}
function Opener({ shown: Shown }: { shown: ComponentType<Closable> }) {
  const [open, setOpen] = useState<object | null>(null);
  return (
    <>
      <button onClick={() => setOpen({})}>Open</button>
      {open && <Shown close={() => setOpen(null)} />}
      <AwaitedParts />
    </>
  );
}

type DialogFile = { default: ComponentType<Closable> };
const file: DialogFile = { default: () => <p>Here it is</p> };
const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
/** Milliseconds until the third and last attempt. */
const RETRIED = 2_500;
const press = (name: string) => pressForPart(screen.getByRole('button', { name }));
const load = async (ask: () => Promise<DialogFile>) => {
  renderScreen(<Opener shown={lazyDialog<Closable>(ask)} />, { user: null });
  await press('Open');
};
async function openOffline() {
  let isOffline = true;
  await load(() => (isOffline ? missing() : Promise.resolve(file)));
  await pass(RETRIED);
  return () => (isOffline = false);
}

describe('A lazily loaded dialog', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
  });

  it('retries loading until the third attempt succeeds', async () => {
    let attempts = 0;
    await load(() => ((attempts += 1) < 3 ? missing() : Promise.resolve(file)));
    await pass(RETRIED);
    screen.getByText('Here it is');
    expect(attempts).toBe(3);
  });

  it('shows a connection error when loading fails, and allows another attempt', async () => {
    const goOnline = await openOffline();
    const words = 'This couldn’t be loaded Check your connection and try again.';
    expect(screen.getByRole('alert').textContent).toContain(words);
    await press('Close');
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Open');
    await pass(RETRIED);
    screen.getByRole('alert');
    goOnline();
    await press('Try again');
    screen.getByText('Here it is');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('opens automatically when the connection is back', async () => {
    const goOnline = await openOffline();
    screen.getByRole('alert');
    goOnline();
    await act(async () => void window.dispatchEvent(new Event('online')));
    screen.getByText('Here it is');
  });

  it('announces after 300 ms that it is loading', async () => {
    let arrive = (_file: DialogFile): void => undefined;
    await load(() => new Promise((resolve) => (arrive = resolve)));
    await pass(299);
    expect(screen.queryByRole('status')).toBeNull();
    await pass(1);
    expect(screen.getByRole('status').textContent).toBe('Loading…');
    await act(async () => arrive(file));
    screen.getByText('Here it is');
    expect(screen.queryByRole('status')).toBeNull();
    expect(console.error).not.toHaveBeenCalled();
  });

  it('opens immediately when it has already been loaded', async () => {
    const Part = lazyDialog<Closable>(() => Promise.resolve(file));
    await Part.arrived();
    renderScreen(<Part close={jest.fn()} />, { user: null });
    expect(screen.getByText('Here it is')).toBeTruthy();
    expect(console.error).not.toHaveBeenCalled();
  });
});

describe('An avatar without an image', () => {
  it.each<[string, AvatarPerson]>([
    ['AL', { firstName: 'ada', lastName: 'Lovelace', email: 'countess@example.org' }],
    ['E\u0301🇬🇧', { firstName: 'e\u0301ric', lastName: '🇬🇧' }],
    ['CO', { firstName: 'Ada', email: 'countess@example.org' }],
    ['U', {}],
  ])('shows the letters %s for %j', (letters, person) => {
    expect(render(<Avatar person={person} />).container.textContent).toBe(letters);
  });
});

describe('A More menu', () => {
  const items = (onClick?: () => void) => [{ key: 'a', label: 'Edit', onClick }];

  it.each(['the button', 'what was opened'])(
    'keeps the focus on %s when antd focuses the menu after it closed',
    async (keeper) => {
      const chosen = jest.fn();
      renderScreen(
        <>
          <MoreMenu label="More" name="More: Ada" items={items(chosen)} /> <input />
        </>,
        { user: null },
      );
      const button = screen.getByRole('button', { name: 'More: Ada' });
      const kept = keeper === 'the button' ? button : screen.getByRole('textbox');
      const frames: FrameRequestCallback[] = [];
      jest.spyOn(window, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame));
      fireEvent.click(button);
      const item = await screen.findByRole('menuitem', { name: 'Edit' });
      const focused = jest.spyOn(item, 'focus');
      fireEvent.click(item);
      expect(chosen).toHaveBeenCalled();
      if (kept !== button) kept.focus();
      act(() => {
        for (let frame = frames.shift(); frame; frame = frames.shift()) frame(0);
      });
      expect(focused).toHaveBeenCalled();
      expect(document.activeElement).toBe(kept);
    },
  );

  it('returns the focus to its button when Escape closes it', async () => {
    renderScreen(<MoreMenu label="More" name="More: Ada" items={items()} />, { user: null });
    const button = screen.getByRole('button', { name: 'More: Ada' });
    await userEvent.click(button);
    const item = await screen.findByRole('menuitem', { name: 'Edit' });
    await waitFor(() => expect(document.activeElement).toBe(item));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(button));
  });
});

describe('The offline notice', () => {
  it('appears after a failed check and disappears after the next successful one', async () => {
    jest.useFakeTimers();
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const answers = [true, true, false, true];
    globalThis.fetch = jest.fn<typeof fetch>(async () => ({ ok: answers.shift() ?? false }) as Response);
    render(<OfflineNotice />);
    const isShown = () => screen.queryByText(/^You’re offline\./) !== null;
    for (const shown of [false, true, false]) {
      await pass(10_000);
      expect(isShown()).toBe(shown);
    }
  });
});

const ADDRESS = 'https://events.example/c/AbCdEfGhIjKlMnOpQrStUv';
/** Replaces `Blob.text()`, which jsdom doesn't have. */
const readText = (file: Blob) =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsText(file);
  });

const SCALE = 5;

it('shows a readable QR code with a margin, identical to its SVG file', async () => {
  render(<QrCode text={ADDRESS} label="Code of your place" />);
  const svg = screen.getByRole('img', { name: 'Code of your place' });
  const modules = Number(svg.getAttribute('viewBox')?.split(' ').at(-1));
  expect(svg.querySelector('rect')?.outerHTML).toContain(
    `width="${modules}" height="${modules}" fill="#fff"`,
  );
  const drawn = svg.querySelector('path[fill="#000"]')!.getAttribute('d')!;
  const dark = new Set(drawn.match(/\d+ \d+/g));
  const width = modules * SCALE;
  const data = new Uint8Array(width * width * 3).map((_, n) => {
    const [x, y] = [Math.floor(n / 3) % width, Math.floor(n / 3 / width)];
    return dark.has(`${Math.floor(x / SCALE)} ${Math.floor(y / SCALE)}`) ? 0 : 255;
  });
  expect(decodeQR({ data, width, height: width })).toBe(ADDRESS);
  expect(await readText(qrSvg(ADDRESS))).toContain(
    `viewBox="0 0 ${modules} ${modules}" shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff"/><path d="${drawn}"/></svg>`,
  );
  const places = [...dark].flatMap((at) => at.split(' ').map(Number));
  expect([Math.min(...places), Math.max(...places)]).toEqual([4, modules - 5]);
});

let opened = 0;
function Content() {
  useEffect(() => {
    opened += 1;
  }, []);
  return <input aria-label="Name" />;
}

const Question = ({ close }: Closable) => (
  <Dialog title="Question" close={close}>
    {() => <Content />}
  </Dialog>
);
// focuses the field here, because antd's drawer focuses only visible elements and jsdom has no layout
const Side = ({ close }: Closable) => (
  <Sheet title="Sheet" autoFocus={false} opened={() => screen.getByRole('textbox').focus()} close={close}>
    {() => <Content />}
  </Sheet>
);

it.each([
  ['a dialog', Question],
  ['a sheet', Side],
])('%s reopens when its button is pressed right after regaining the focus', async (_, shown) => {
  opened = 0;
  const user = userEvent.setup();
  renderScreen(<Opener shown={shown} />, { user: null });
  const button = screen.getByRole('button', { name: 'Open' });
  button.focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog');
  await waitFor(() => expect(document.activeElement).not.toBe(button));
  button.addEventListener('focus', () => button.click(), { once: true });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(opened).toBe(2));
  await screen.findByRole('dialog');
});

const outlet = (toast: Toast) => (
  <WithoutStyles>
    <button>Before</button>
    <ToastOutlet toast={toast} />
  </WithoutStyles>
);
const first: Toast = { kind: 'success', title: 'Refreshed', description: 'Event data has been updated' };
const second: Toast = { kind: 'error', title: 'Refresh Failed' };
const getToast = (title: string) =>
  screen.getByText(title).closest<HTMLElement>('.ant-notification-notice') as HTMLElement;

const swipe = (toast: HTMLElement, clientX: number) =>
  act(() => {
    point(toast, 'pointerdown');
    point(toast, 'pointermove', { clientX });
    point(toast, 'pointerup', { clientX });
  });

describe('A toast', () => {
  it('replaces the previous toast, so that only one is shown', async () => {
    const { rerender } = render(outlet(first));
    await screen.findByText('Event data has been updated');
    rerender(outlet(second));
    await screen.findByText('Refresh Failed');
    await waitFor(() => expect(screen.queryByText('Refreshed')).toBeNull());
  });

  it('calls `shown` once, when the toast is visible', async () => {
    const seen = jest.fn(() => getToast('Refreshed').isConnected);
    const { rerender } = render(outlet({ ...first, shown: seen }));
    await waitFor(() => expect(seen).toHaveReturnedWith(true));
    rerender(outlet(second));
    await screen.findByText('Refresh Failed');
    expect(seen).toHaveBeenCalledTimes(1);
  });

  describe('after a second', () => {
    const before = () => screen.getByRole('button', { name: 'Before' });
    const isShown = () => screen.queryByText('Refreshed') !== null;
    const show = async (toast = first) => {
      jest.useFakeTimers();
      render(outlet(toast));
      await pass(1_000);
    };

    it('stays on screen for five seconds', async () => {
      await show();
      await pass(4_900 - 1_000);
      expect(isShown()).toBe(true);
      await pass(1_000);
      expect(isShown()).toBe(false);
    });

    it('gets the focus on F8 and stays until Escape returns the focus', async () => {
      await show();
      before().focus();
      fireEvent.keyDown(document, { key: 'F8' });
      expect(document.activeElement).toBe(getToast('Refreshed'));
      await pass(20_000);
      expect(document.activeElement).toBe(getToast('Refreshed'));
      fireEvent.keyDown(getToast('Refreshed'), { key: 'Escape' });
      expect(document.activeElement).toBe(before());
      await pass(1_000);
      expect(isShown()).toBe(false);
    });

    it('disappears after it has lost the focus', async () => {
      await show();
      fireEvent.keyDown(document, { key: 'F8' });
      act(() => before().focus());
      await pass(6_000);
      expect(isShown()).toBe(false);
    });

    it('disappears for good when its button is pressed', async () => {
      const run = jest.fn(() => before().focus());
      await show({ ...first, action: { label: 'Open event', run } });
      const button = screen.getByRole('button', { name: 'Open event' });
      act(() => button.focus());
      fireEvent.click(button);
      expect(run).toHaveBeenCalledTimes(1);
      await pass(1_000);
      expect(isShown()).toBe(false);
      expect(document.activeElement).toBe(before());
    });
  });

  it('does not cover buttons if there is space elsewhere', () => {
    const toast = { top: 0, bottom: 90, left: 600, right: 1000 };
    const button = (top: number, left: number) => ({ top, bottom: top + 40, left, right: left + 100 });
    expect(clearTop(toast, [button(500, 700)], 24, 800)).toBe(24);
    expect(clearTop(toast, [button(60, 700), button(160, 900), button(20, 100)], 24, 800)).toBe(208);
    expect(clearTop(toast, [button(60, 700), button(700, 900)], 24, 150)).toBe(24);
  });

  it('moves to the top if it would cover a control in the corner', () => {
    const toast = { top: 0, bottom: 90, left: 600, right: 1000 };
    const link = (top: number) => ({ top, bottom: top + 150, left: 700, right: 1000 });
    expect(cornerTop(toast, [], 70, 800)).toBe(686);
    expect(cornerTop(toast, [link(300)], 70, 800)).toBe(686);
    expect(cornerTop(toast, [link(600)], 70, 800)).toBe(70);
    expect(cornerTop(toast, [link(650), link(80)], 70, 800)).toBe(238);
  });

  it('disappears on a swipe of 50 pixels, but not on a shorter one', async () => {
    render(outlet(first));
    await screen.findByText('Refreshed');
    swipe(getToast('Refreshed'), 49);
    expect(screen.queryByText('Refreshed')).not.toBeNull();
    swipe(getToast('Refreshed'), 50);
    await waitFor(() => expect(screen.queryByText('Refreshed')).toBeNull());
  });
});

const ENTRIES = ['Edit', 'Duplicate', 'Delete', 'Édition', 'Make a series', 'Make Admin'];

describe('Typing letters in an open menu', () => {
  let stop: () => void;
  beforeEach(async () => {
    jest.useFakeTimers();
    stop = followTyping();
    const items = [
      ...ENTRIES.map((label) => ({ key: label, label })),
      { key: 'off', label: 'Publish', disabled: true },
    ];
    renderScreen(<MoreMenu label="More" name="More: Ada" items={items} />, { user: null });
    fireEvent.click(screen.getByRole('button', { name: 'More: Ada' }));
    await pass(1_000);
    expect(active()).toBe('Edit');
  });
  afterEach(() => stop());

  const active = () => document.activeElement?.textContent;
  /** Types keys. Returns false if the browser's default action for the last key was prevented. */
  const type = (keys: string, more = {}) =>
    [...keys].map((key) => fireEvent.keyDown(document.activeElement!, { key, ...more })).at(-1);

  it.each([
    ['de', 'Delete'],
    ['dex', 'Delete'],
    ['Dd', 'Delete'],
    ['Ddd', 'Duplicate'],
    ['é', 'Édition'],
    ['ma', 'Make a series'],
    ['make ad', 'Make Admin'],
    ['p', 'Edit'],
  ])('on %j, focuses the enabled entry %s', (keys, entry) => {
    type(keys);
    expect(active()).toBe(entry);
  });

  it('starts a new search after 1,000 ms without typing', async () => {
    type('d');
    await pass(999);
    type('e');
    expect(active()).toBe('Delete');
    await pass(1_000);
    type('e');
    expect(active()).toBe('Edit');
  });

  it('handles a space only within a search, and no browser shortcuts', () => {
    expect(type(' ')).toBe(true);
    expect(type('d', { ctrlKey: true })).toBe(true);
    expect(active()).toBe('Edit');
    expect(type('make ')).toBe(false);
  });

  it('has no effect outside the menu or after type-ahead was stopped', () => {
    const button = screen.getByRole('button', { name: 'More: Ada' });
    button.focus();
    expect(type('d')).toBe(true);
    expect(document.activeElement).toBe(button);
    stop();
    screen.getByRole('menuitem', { name: 'Edit' }).focus();
    type('d');
    expect(active()).toBe('Edit');
  });
});

describe('focusPlace', () => {
  afterEach(() => document.body.replaceChildren());

  it('focuses nothing when nothing was focused before', () => {
    document.body.innerHTML =
      '<a href="#content">Skip to content</a><main id="content" tabindex="-1"></main>';
    const giveBack = focusPlace(document.body);
    expect(giveBack()).toBe(false);
    expect(document.activeElement).toBe(document.body);
  });

  it.each([
    ['next', 1, 2],
    ['last', 2, 1],
  ])('focuses the %s row when the focused one was removed', (_, removed, focused) => {
    document.body.innerHTML = `<ul>${'<li><button>Delete</button></li>'.repeat(3)}</ul>`;
    const buttons = document.querySelectorAll('button');
    const giveBack = focusPlace(buttons[removed]!);
    buttons[removed]!.parentElement!.remove();
    expect(giveBack()).toBe(true);
    expect(document.activeElement).toBe(buttons[focused]);
  });
});

describe('Persisted state', () => {
  it('keeps a value until it is deleted', () => {
    persist('colour', 'dark');
    expect([readPersisted('colour'), readPersisted('colour', inThisTab)]).toEqual(['dark', null]);
    persist('colour', null);
    expect(readPersisted('colour')).toBeNull();
  });

  it('keeps values until the page closes when storage is forbidden', () => {
    const forbidden = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    persist('view', 'agenda', forbidden);
    expect(readPersisted('view', forbidden)).toBe('agenda');
    persist('view', null, forbidden);
    expect(readPersisted('view', forbidden)).toBeNull();
  });
});

describe('whatToDo', () => {
  const refused = (statusCode: number, message: string, code: ErrorCode = 'INTERNAL') =>
    new ApiError(statusCode, message, { statusCode, code, message, requestId: 'test' });
  const OURS = 'Something went wrong on our side. Try again in a moment.';
  const BUSY = 'The service is busy: try again shortly';
  const TAKEN = 'This email address is already taken';

  it.each([
    ['the network failed', new TypeError('Failed to fetch'), 'Check your connection and try again.'],
    ['a proxy answered', new ApiError(502, '<html>', null), OURS],
    ['the server failed', refused(500, 'Something went wrong on our side'), OURS],
    ['the server is busy', refused(503, BUSY, 'SERVICE_OVERLOADED'), BUSY],
    ['trying again would not help', refused(409, TAKEN, 'EMAIL_TAKEN'), TAKEN],
  ])('says what to do when %s', (_, error, words) => {
    expect(whatToDo(error)).toBe(words);
  });
});

describe('An email draft', () => {
  it('encodes the whole subject and body', () => {
    expect(mailDraft({ to: 'ada@example.org', subject: 'A & B?', body: 'one\ntwo +1 #x' })).toBe(
      'mailto:ada@example.org?subject=A%20%26%20B%3F&body=one%0D%0Atwo%20%2B1%20%23x',
    );
  });

  it('prevents an email address from adding recipients or headers', () => {
    const draft = mailDraft({ to: 'a?bcc=evil&cc=x,y@example.org', subject: 's', body: 'b' });
    expect(draft).toBe('mailto:a%3Fbcc%3Devil%26cc%3Dx%2Cy@example.org?subject=s&body=b');
  });
});
