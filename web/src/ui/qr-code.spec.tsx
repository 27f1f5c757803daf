import { render, screen } from '@testing-library/react';
import decodeQR from 'qr/decode.js';
import { QrCode } from './qr-code';

const ADDRESS = 'https://events.example/c/AbCdEfGhIjKlMnOpQrStUv';
/** Pixels of a module. */
const SCALE = 5;

it('is a code that another library reads, dark on white with its margin, and has a name', () => {
  render(<QrCode text={ADDRESS} label="Code of your place" />);
  const svg = screen.getByRole('img', { name: 'Code of your place' });
  const modules = Number(svg.getAttribute('viewBox')?.split(' ').at(-1));
  expect(svg.querySelector('rect')?.outerHTML).toContain(
    `width="${modules}" height="${modules}" fill="#fff"`,
  );
  const dark = new Set(
    svg
      .querySelector('path[fill="#000"]')
      ?.getAttribute('d')
      ?.match(/\d+ \d+/g),
  );
  const width = modules * SCALE;
  const data = new Uint8Array(width * width * 3).map((_, n) => {
    const [x, y] = [Math.floor(n / 3) % width, Math.floor(n / 3 / width)];
    return dark.has(`${Math.floor(x / SCALE)} ${Math.floor(y / SCALE)}`) ? 0 : 255;
  });
  expect(decodeQR({ data, width, height: width })).toBe(ADDRESS);
  for (const at of dark)
    for (const place of at.split(' ').map(Number)) {
      expect(place).toBeGreaterThanOrEqual(4);
      expect(place).toBeLessThan(modules - 4);
    }
});
