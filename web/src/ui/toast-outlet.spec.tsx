import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import ToastOutlet from './toast-outlet';
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

  it('get the focus by F8', async () => {
    render(outlet(first));
    await screen.findByText('Refreshed');
    fireEvent.keyDown(document, { key: 'F8' });
    expect(document.activeElement).toBe(toastOf('Refreshed'));
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
