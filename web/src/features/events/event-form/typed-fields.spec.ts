import { jest } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { useTypedFields } from './typed-fields';

const KEY = 'typed:event:someone:new';
const SAVED = { title: 'Breakfast' };
const render = () =>
  renderHook(({ title }) => useTypedFields(KEY, SAVED, { title }), { initialProps: SAVED });

describe('useTypedFields', () => {
  beforeEach(() => void jest.useFakeTimers());

  it('removes what someone typed from the browser once they undo every change', () => {
    const { rerender } = render();
    rerender({ title: 'Brunch' });
    jest.advanceTimersByTime(300);
    expect(localStorage.getItem(KEY)).toContain('Brunch');
    rerender(SAVED);
    jest.advanceTimersByTime(300);
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  it('keeps what someone typed on an earlier visit until they change something', () => {
    const stored = JSON.stringify({ at: new Date().toISOString(), changed: { title: 'Brunch' } });
    localStorage.setItem(KEY, stored);
    const { result } = render();
    jest.advanceTimersByTime(1_000);
    expect(result.current.earlier?.changed).toEqual({ title: 'Brunch' });
    expect(localStorage.getItem(KEY)).toBe(stored);
  });
});
