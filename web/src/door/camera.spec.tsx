import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Camera } from './camera';

const withCamera = (mediaDevices: object | undefined) => {
  if (mediaDevices)
    Object.defineProperty(navigator, 'mediaDevices', { value: mediaDevices, configurable: true });
  else delete (navigator as { mediaDevices?: unknown }).mediaDevices;
};
afterEach(() => withCamera(undefined));

it.each<[string, object | undefined, RegExp]>([
  [
    'it is not allowed',
    { getUserMedia: () => Promise.reject(new DOMException('', 'NotAllowedError')) },
    /not allowed/,
  ],
  [
    'there is none',
    { getUserMedia: () => Promise.reject(new DOMException('', 'NotFoundError')) },
    /no camera/,
  ],
  ['the page came without HTTPS', undefined, /no camera/],
])('says what to do instead when %s, and can be tried again', async (_, camera, words) => {
  withCamera(camera);
  render(<Camera onCode={() => undefined} />);
  await userEvent.click(screen.getByRole('button', { name: 'Scan codes' }));
  expect((await screen.findByText(words)).textContent).toMatch(/find guests by name/i);
  expect(screen.queryByLabelText('What the camera sees')).toBeNull();
  screen.getByRole('button', { name: 'Scan codes' });
});
