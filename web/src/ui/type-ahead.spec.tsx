import { jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { renderScreen } from '../testing/render-screen';
import { MoreMenu } from './more-menu';
import { followTyping } from './type-ahead';

const ENTRIES = ['Edit', 'Duplicate', 'Delete', 'Édition', 'Make a series', 'Make Admin'];

describe('Letters typed in an open menu', () => {
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
  afterEach(() => {
    stop();
    jest.useRealTimers();
  });

  const active = () => document.activeElement?.textContent;
  const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
  /** Whether the page would still do what the key does. */
  const type = (keys: string, more = {}) =>
    [...keys].map((key) => fireEvent.keyDown(document.activeElement!, { key, ...more })).at(-1);

  it('lead to the entry that begins with them', () => {
    type('de');
    expect(active()).toBe('Delete');
    type('x');
    expect(active()).toBe('Delete');
  });

  it('are forgotten after 1,000 ms, so that the next ones begin anew', async () => {
    type('d');
    expect(active()).toBe('Duplicate');
    await pass(999);
    type('e');
    expect(active()).toBe('Delete');
    await pass(1_000);
    type('e');
    expect(active()).toBe('Edit');
  });

  it('lead on when the same one is typed again, and round from the last entry to the first', async () => {
    type('D');
    expect(active()).toBe('Duplicate');
    type('d');
    expect(active()).toBe('Delete');
    type('d');
    expect(active()).toBe('Duplicate');
    await pass(1_000);
    type('é');
    expect(active()).toBe('Édition');
  });

  it('take a space within an entry, and leave one alone to the menu', () => {
    expect(type(' ')).toBe(true);
    expect(type('make ')).toBe(false);
    type('ad');
    expect(active()).toBe('Make Admin');
  });

  it('find nothing that cannot be chosen, and are no shortcuts of the browser', () => {
    type('p');
    expect(active()).toBe('Edit');
    expect(type('d', { ctrlKey: true })).toBe(true);
    expect(active()).toBe('Edit');
  });

  it('mean nothing elsewhere, nor after the page has stopped listening', () => {
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
