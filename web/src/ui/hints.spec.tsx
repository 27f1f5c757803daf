import { jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import Hints from './hints';

const show = (controls: ReactNode) =>
  render(
    <ConfigProvider theme={{ token: { motion: false } }}>
      {controls}
      <Hints />
    </ConfigProvider>,
  );

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
/** jsdom has no PointerEvent; the listeners read nothing else that a MouseEvent lacks. */
const pointerOn = (element: Element, pointerType = 'mouse') =>
  fireEvent(element, Object.assign(new MouseEvent('pointerover', { bubbles: true }), { pointerType }));
const elsewhere = () => pointerOn(screen.getByText('Elsewhere'));

describe('The hint of an icon without words', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(async () => {
    cleanup();
    await pass(1_000);
    jest.useRealTimers();
  });

  it('opens after the pointer has been on it for 700 ms, and closes when it leaves', async () => {
    show(icons);
    pointerOn(control('Open menu'));
    await pass(699);
    expect(hint()).toBeNull();
    await pass(1);
    expect(hint()).toBe('Open menu');
    elsewhere();
    await pass(100);
    expect(hint()).toBeNull();
  });

  it('opens at once beside another, and within 300 ms after it; later after 700 ms again', async () => {
    show(icons);
    pointerOn(control('Open menu'));
    await pass(700);
    pointerOn(control('Account menu'));
    await pass(0);
    expect(hint()).toBe('Account menu');
    for (const [gap, opensAfter] of [
      [299, 0],
      [300, 700],
    ] as const) {
      elsewhere();
      await pass(100);
      expect(hint()).toBeNull();
      await pass(gap);
      pointerOn(control('Open menu'));
      if (opensAfter > 0) {
        await pass(opensAfter - 1);
        expect(hint()).toBeNull();
        await pass(1);
      } else await pass(0);
      expect(hint()).toBe('Open menu');
    }
  });

  it('opens on the focus of the keyboard, closes by Escape, and opens again once the focus was elsewhere', async () => {
    show(icons);
    act(() => control('Open menu').focus());
    await pass(700);
    expect(hint()).toBe('Open menu');
    fireEvent.keyDown(control('Open menu'), { key: 'Escape' });
    await pass(2_000);
    expect(hint()).toBeNull();
    act(() => screen.getByRole('switch').focus());
    await pass(1_000);
    expect(hint()).toBeNull();
    act(() => control('Open menu').focus());
    await pass(700);
    expect(hint()).toBe('Open menu');
    act(() => control('Open menu').blur());
    await pass(100);
    expect(hint()).toBeNull();
  });

  it('does not open where it was pressed, until it was left', async () => {
    show(icons);
    const menu = control('Open menu');
    pointerOn(menu);
    await pass(300);
    fireEvent(menu, new MouseEvent('pointerdown', { bubbles: true }));
    await pass(2_000);
    expect(hint()).toBeNull();
    elsewhere();
    pointerOn(menu);
    await pass(700);
    expect(hint()).toBe('Open menu');
    fireEvent.click(menu);
    await pass(2_000);
    expect(hint()).toBeNull();
  });

  it('stays while the pointer is on the hint itself', async () => {
    show(icons);
    pointerOn(control('Open menu'));
    await pass(700);
    elsewhere();
    await pass(99);
    pointerOn(document.querySelector('[role="tooltip"]')!);
    await pass(2_000);
    expect(hint()).toBe('Open menu');
    elsewhere();
    await pass(100);
    expect(hint()).toBeNull();
  });

  it('is not there for a finger, nor for controls that show words', async () => {
    show(icons);
    pointerOn(control('Open menu'), 'touch');
    await pass(2_000);
    expect(hint()).toBeNull();
    for (const worded of [
      control('Register: Attribution breakfast'),
      screen.getByRole('switch'),
      screen.getByRole('link'),
    ]) {
      pointerOn(worded);
      await pass(2_000);
      expect(hint()).toBeNull();
    }
  });

  it('is not said again by screen readers', async () => {
    show(icons);
    pointerOn(control('Open menu'));
    await pass(700);
    expect(hint()).toBe('Open menu');
    expect(screen.queryByRole('tooltip')).toBeNull();
    expect(control('Open menu').hasAttribute('aria-describedby')).toBe(false);
  });
});
