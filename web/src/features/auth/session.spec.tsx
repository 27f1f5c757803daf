import { jest } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { useEffect } from 'react';
import { type Toast, ToastContext } from '../../ui/toasts';
import { useLoggedOutRedirect } from './session';

/** jsdom goes to no other page, and says so. */
const attempts = jest.spyOn(console, 'error').mockImplementation(() => undefined);
const left = () => attempts.mock.calls.filter(([said]) => String(said).includes('navigation')).length;

function Leaver() {
  const leave = useLoggedOutRedirect();
  useEffect(() => {
    leave();
  }, [leave]);
  return null;
}

describe('Who is logged out', () => {
  let toast: Toast | undefined;
  beforeEach(() => {
    attempts.mockClear();
    jest.useFakeTimers();
    const show = (given: Toast) => (toast = given);
    render(
      <ToastContext value={show}>
        <Leaver />
      </ToastContext>,
    );
  });
  afterEach(() => jest.useRealTimers());

  const wait = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

  it('can read so for half a second from the moment that it is on screen, however late that is', async () => {
    await wait(4_000);
    expect(left()).toBe(0);
    act(() => toast?.shown?.());
    await wait(499);
    expect(left()).toBe(0);
    await wait(1);
    expect(left()).toBe(1);
    await wait(10_000);
    expect(left()).toBe(1);
  });

  it('is led to the login after five seconds if it never is', async () => {
    await wait(4_999);
    expect(left()).toBe(0);
    await wait(1);
    expect(left()).toBe(1);
  });
});
