import { act, render } from '@testing-library/react';
import { jest } from '@jest/globals';
import { type Toast, ToastContext } from '../../ui/toasts';
import { LoggedOutRedirect } from './session';

describe('The redirect after an ended session', () => {
  let toast: Toast | undefined;
  /** jsdom reports each attempt to navigate as an error. */
  let logged: jest.SpiedFunction<typeof console.error>;
  const countNavigations = () =>
    logged.mock.calls.filter(([text]) => String(text).includes('navigation')).length;
  beforeEach(() => {
    logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    jest.useFakeTimers();
    const show = (shown: Toast) => (toast = shown);
    render(
      <ToastContext value={show}>
        <LoggedOutRedirect />
      </ToastContext>,
    );
  });

  const wait = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

  it('goes to the login half a second after a late toast appears', async () => {
    await wait(4_000);
    expect(countNavigations()).toBe(0);
    act(() => toast?.shown?.());
    await wait(499);
    expect(countNavigations()).toBe(0);
    await wait(1);
    expect(countNavigations()).toBe(1);
    await wait(10_000);
    expect(countNavigations()).toBe(1);
  });

  it('goes to the login after five seconds if the toast never appears', async () => {
    await wait(4_999);
    expect(countNavigations()).toBe(0);
    await wait(1);
    expect(countNavigations()).toBe(1);
  });
});
