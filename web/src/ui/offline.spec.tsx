import { jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { OfflineNotice } from './offline';

const OFFLINE = /^You are offline\./;

describe('The notice of a lost connection', () => {
  let answers: boolean[];
  beforeEach(() => {
    jest.useFakeTimers();
    answers = [];
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    globalThis.fetch = jest.fn<typeof fetch>(() =>
      Promise.resolve({ ok: answers.shift() ?? false } as Response),
    );
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
  const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

  it('comes although one request was still answered after the browser had said that it is offline', async () => {
    answers = [true];
    render(<OfflineNotice />);
    await pass(0);
    expect(screen.queryByText(OFFLINE)).toBeNull();
    await pass(10_000);
    expect(screen.getByText(OFFLINE)).toBeTruthy();
  });

  it('does not come where a server on this machine goes on answering, and goes with the first answer', async () => {
    answers = [true, true, false, true];
    render(<OfflineNotice />);
    await pass(10_000);
    expect(screen.queryByText(OFFLINE)).toBeNull();
    await pass(10_000);
    expect(screen.getByText(OFFLINE)).toBeTruthy();
    await pass(10_000);
    expect(screen.queryByText(OFFLINE)).toBeNull();
  });
});
