import { jest } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import { renderScreen } from '../testing/render-screen';
import { MoreMenu } from './more-menu';

afterEach(() => jest.restoreAllMocks());

it.each(['the button', 'what was opened'])(
  'leaves the focus with %s where an item is chosen before antd has focused the menu',
  async (keeper) => {
    const chosen = jest.fn();
    renderScreen(
      <>
        <MoreMenu label="More" name="More: Ada" items={[{ key: 'a', label: 'Edit', onClick: chosen }]} />{' '}
        <input />
      </>,
      { user: null },
    );
    const button = screen.getByRole('button', { name: 'More: Ada' });
    const kept = keeper === 'the button' ? button : screen.getByRole('textbox');
    const frames: FrameRequestCallback[] = [];
    jest.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame));
    fireEvent.click(button);
    const item = await screen.findByRole('menuitem', { name: 'Edit' });
    const focused = jest.spyOn(item, 'focus');
    fireEvent.click(item);
    expect(chosen).toHaveBeenCalled();
    if (kept !== button) kept.focus();
    act(() => {
      for (let frame = frames.shift(); frame; frame = frames.shift()) frame(0);
    });
    expect(focused).toHaveBeenCalled();
    expect(document.activeElement).toBe(kept);
  },
);

it('gives the focus back to its button when Escape closes it', async () => {
  renderScreen(<MoreMenu label="More" name="More: Ada" items={[{ key: 'a', label: 'Edit' }]} />, {
    user: null,
  });
  const button = screen.getByRole('button', { name: 'More: Ada' });
  await userEvent.click(button);
  const item = await screen.findByRole('menuitem', { name: 'Edit' });
  await waitFor(() => expect(document.activeElement).toBe(item));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));
});
