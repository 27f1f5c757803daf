import { renderHook, waitFor } from '@testing-library/react';
import { useTypedFields } from './typed-fields';

const KEY = 'typed:event:someone:new';
const SAVED = { title: 'Breakfast' };
const render = () =>
  renderHook(({ title }) => useTypedFields(KEY, SAVED, { title }), { initialProps: SAVED });

describe('useTypedFields', () => {
  beforeEach(() => localStorage.clear());

  it('removes what someone typed from the browser once they undo every change', async () => {
    const { rerender } = render();
    rerender({ title: 'Brunch' });
    await waitFor(() => expect(localStorage.getItem(KEY)).toContain('Brunch'));
    rerender(SAVED);
    await waitFor(() => expect(localStorage.getItem(KEY)).toBeNull());
  });

  it('keeps what someone typed on an earlier visit until they change something', async () => {
    const stored = JSON.stringify({ at: new Date().toISOString(), changed: { title: 'Brunch' } });
    localStorage.setItem(KEY, stored);
    const { result } = render();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(result.current.earlier?.changed).toEqual({ title: 'Brunch' });
    expect(localStorage.getItem(KEY)).toBe(stored);
  });
});
