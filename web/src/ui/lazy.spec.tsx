import { act, screen } from '@testing-library/react';
import { jest } from '@jest/globals';
import userEvent from '@testing-library/user-event';
import { type ComponentType, useState } from 'react';
import { renderScreen } from '../testing/render-screen';
import { AwaitedParts, lazyDialog } from './lazy';

type DialogFile = { default: ComponentType<{ close: () => void }> };

function opener(load: () => Promise<DialogFile>) {
  const Part = lazyDialog<{ close: () => void }>(load);
  return function Opener() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Open</button>
        {open && <Part close={() => setOpen(false)} />}
        <AwaitedParts />
      </>
    );
  };
}

const file: DialogFile = { default: () => <p>Here it is</p> };
const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const open = () => userEvent.click(screen.getByRole('button', { name: 'Open' }));

describe('A dialog that is loaded when it is opened', () => {
  // React reports each failure that a boundary catches.
  beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('is asked for several times before it is given up', async () => {
    let attempts = 0;
    const Opener = opener(() => ((attempts += 1) < 3 ? missing() : Promise.resolve(file)));
    renderScreen(<Opener />, { user: null });
    await open();
    await screen.findByText('Here it is');
    expect(attempts).toBe(3);
  });

  it('names the connection when it does not arrive, leaves the page as it is, and can be asked for again', async () => {
    let offline = true;
    const Opener = opener(() => (offline ? missing() : Promise.resolve(file)));
    renderScreen(<Opener />, { user: null });
    await open();
    const refusal = await screen.findByRole('alert');
    expect(refusal.textContent).toContain('This could not be loaded Check your connection and try again.');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('alert')).toBeNull();
    await open();
    await screen.findByRole('alert');
    offline = false;
    await act(async () => screen.getByRole('button', { name: 'Try again' }).click());
    await screen.findByText('Here it is');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('opens by itself when the connection is back', async () => {
    let offline = true;
    const Opener = opener(() => (offline ? missing() : Promise.resolve(file)));
    renderScreen(<Opener />, { user: null });
    await open();
    await screen.findByRole('alert');
    offline = false;
    await act(async () => void window.dispatchEvent(new Event('online')));
    await screen.findByText('Here it is');
  });

  it('is announced when it takes more than 300 ms', async () => {
    let arrive = (_file: DialogFile): void => undefined;
    const Opener = opener(() => new Promise((resolve) => (arrive = resolve)));
    jest.useFakeTimers();
    renderScreen(<Opener />, { user: null });
    await act(async () => screen.getByRole('button', { name: 'Open' }).click());
    await act(() => jest.advanceTimersByTimeAsync(299));
    expect(screen.queryByRole('status')).toBeNull();
    await act(() => jest.advanceTimersByTimeAsync(1));
    expect(screen.getByRole('status').textContent).toBe('Loading…');
    await act(async () => arrive(file));
    screen.getByText('Here it is');
    expect(screen.queryByRole('status')).toBeNull();
    expect(console.error).not.toHaveBeenCalled();
  });

  it('is shown at once when it has arrived before', async () => {
    const Part = lazyDialog<{ close: () => void }>(() => Promise.resolve(file));
    await Part.arrived();
    const close = () => undefined;
    renderScreen(<Part close={close} />, { user: null });
    expect(screen.getByText('Here it is')).toBeTruthy();
    expect(console.error).not.toHaveBeenCalled();
  });
});
