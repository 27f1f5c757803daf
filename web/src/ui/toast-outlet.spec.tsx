import { jest } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import ToastOutlet, { clearTop, cornerTop } from './toast-outlet';
import type { Toast } from './toasts';

const outlet = (toast: Toast) => (
  <ConfigProvider theme={{ token: { motion: false } }}>
    <ToastOutlet toast={toast} />
  </ConfigProvider>
);
const first: Toast = { kind: 'success', title: 'Refreshed', description: 'Event data has been updated' };
const second: Toast = { kind: 'error', title: 'Refresh Failed' };
const toastOf = (title: string) =>
  screen.getByText(title).closest<HTMLElement>('.ant-notification-notice') as HTMLElement;

/** jsdom has no PointerEvent; the listeners read nothing that a MouseEvent lacks. */
const swipe = (toast: HTMLElement, pixels: number) =>
  act(() => {
    fireEvent(toast, new MouseEvent('pointerdown', { bubbles: true, clientX: 0 }));
    fireEvent(toast, new MouseEvent('pointermove', { bubbles: true, clientX: pixels }));
    fireEvent(toast, new MouseEvent('pointerup', { bubbles: true, clientX: pixels }));
  });

describe('Toasts', () => {
  it('are one at a time: a newer one takes the place of the last', async () => {
    const { rerender } = render(outlet(first));
    await screen.findByText('Event data has been updated');
    rerender(outlet(second));
    await screen.findByText('Refresh Failed');
    await waitFor(() => expect(screen.queryByText('Refreshed')).toBeNull());
  });

  it('say once that they are on screen, when they are', async () => {
    const seen = jest.fn(() => toastOf('Refreshed').isConnected);
    const { rerender } = render(outlet({ ...first, shown: seen }));
    await waitFor(() => expect(seen).toHaveReturnedWith(true));
    rerender(outlet(second));
    await screen.findByText('Refresh Failed');
    expect(seen).toHaveBeenCalledTimes(1);
  });

  it('are on screen for five seconds', async () => {
    jest.useFakeTimers();
    render(outlet(first));
    await act(() => jest.advanceTimersByTimeAsync(4_900));
    expect(screen.queryByText('Refreshed')).not.toBeNull();
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(screen.queryByText('Refreshed')).toBeNull();
    jest.useRealTimers();
  });

  it('get the focus by F8, stay while they have it, and go by Escape, which gives it back', async () => {
    jest.useFakeTimers();
    render(
      <>
        <button>Before</button>
        {outlet(first)}
      </>,
    );
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    const before = screen.getByRole('button', { name: 'Before' });
    before.focus();
    fireEvent.keyDown(document, { key: 'F8' });
    expect(document.activeElement).toBe(toastOf('Refreshed'));
    await act(() => jest.advanceTimersByTimeAsync(20_000));
    expect(document.activeElement).toBe(toastOf('Refreshed'));
    fireEvent.keyDown(toastOf('Refreshed'), { key: 'Escape' });
    expect(document.activeElement).toBe(before);
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(screen.queryByText('Refreshed')).toBeNull();
    jest.useRealTimers();
  });

  it('go on their way when the focus leaves them', async () => {
    jest.useFakeTimers();
    render(
      <>
        <button>Before</button>
        {outlet(first)}
      </>,
    );
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    fireEvent.keyDown(document, { key: 'F8' });
    act(() => screen.getByRole('button', { name: 'Before' }).focus());
    await act(() => jest.advanceTimersByTimeAsync(6_000));
    expect(screen.queryByText('Refreshed')).toBeNull();
    jest.useRealTimers();
  });

  it('stand where they cover none of the buttons', () => {
    const toast = { top: 0, bottom: 90, left: 600, right: 1000 };
    const button = (top: number, left: number) => ({ top, bottom: top + 40, left, right: left + 100 });
    expect(clearTop(toast, [button(500, 700)], 24, 800)).toBe(24);
    expect(clearTop(toast, [button(60, 700), button(160, 900), button(20, 100)], 24, 800)).toBe(208);
    expect(clearTop(toast, [button(60, 700), button(700, 900)], 24, 150)).toBe(24);
  });

  it('leave the lower corner of a wide screen where they would cover what is to be used next', () => {
    const toast = { top: 0, bottom: 90, left: 600, right: 1000 };
    const link = (top: number) => ({ top, bottom: top + 150, left: 700, right: 1000 });
    expect(cornerTop(toast, [], 70, 800)).toBe(686);
    expect(cornerTop(toast, [link(300)], 70, 800)).toBe(686);
    expect(cornerTop(toast, [link(600)], 70, 800)).toBe(70);
    expect(cornerTop(toast, [link(650), link(80)], 70, 800)).toBe(238);
  });

  it('go away by a swipe of 50 pixels, and stay for a shorter one', async () => {
    render(outlet(first));
    await screen.findByText('Refreshed');
    swipe(toastOf('Refreshed'), 49);
    expect(screen.queryByText('Refreshed')).not.toBeNull();
    swipe(toastOf('Refreshed'), 50);
    await waitFor(() => expect(screen.queryByText('Refreshed')).toBeNull());
  });
});
