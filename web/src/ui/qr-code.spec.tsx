import { render, screen } from '@testing-library/react';
import decodeQR from 'qr/decode.js';
import { QrCode, qrSvg } from './qr-code';

const ADDRESS = 'https://events.example/c/AbCdEfGhIjKlMnOpQrStUv';
/** jsdom's files have no text(). */
const textOf = (file: Blob) =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsText(file);
  });

/** Pixels of a module. */
const SCALE = 5;

it('is a code that another library reads, dark on white with its margin, and has a name; its file is the same', async () => {
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
  const drawn = svg.querySelector('path')!.getAttribute('d')!;
  expect(await textOf(qrSvg(ADDRESS))).toContain(
    `viewBox="0 0 ${modules} ${modules}" shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff"/><path d="${drawn}"/></svg>`,
  );
  for (const at of dark)
    for (const place of at.split(' ').map(Number)) {
      expect(place).toBeGreaterThanOrEqual(4);
      expect(place).toBeLessThan(modules - 4);
    }
});
