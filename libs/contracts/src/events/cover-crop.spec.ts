import { COVER_SHAPES, coverSources, cropStyles, MAX_ZOOM, MIDDLE, computePart } from './cover-crop.js';

const SHAPES = Object.entries(COVER_SHAPES);
const SIZES = [
  { width: 1600, height: 900 },
  { width: 900, height: 1600 },
  { width: 1, height: 3 },
];

describe('image crops', () => {
  it.each(SHAPES)('computes a crop of the shape %s within the image', (_name, shape) => {
    for (const size of SIZES)
      for (const [x, y, zoom] of [
        [0, 0, 1],
        [1, 1, 1],
        [0.3, 0.9, MAX_ZOOM],
      ] as const) {
        const part = computePart({ x, y, zoom }, shape, size);
        expect(part.width / part.height).toBeCloseTo(shape);
        expect(Math.min(part.x, part.y)).toBeGreaterThanOrEqual(0);
        expect(part.x + part.width).toBeLessThanOrEqual(size.width + 1e-9);
        expect(part.y + part.height).toBeLessThanOrEqual(size.height + 1e-9);
      }
  });

  it('centres the largest possible crop by default and shrinks it when zoomed', () => {
    const [size] = SIZES;
    expect(computePart(MIDDLE, 1, size!)).toEqual({ x: 350, y: 0, width: 900, height: 900 });
    const zoomed = { x: 1300, y: 0, width: 300, height: 300 };
    expect(computePart({ x: 1, y: 0, zoom: 3 }, 1, size!)).toEqual(zoomed);
  });

  it('turns the square and wide crops into CSS variables', () => {
    expect(cropStyles({ coverSquare: null, coverWide: { x: 0.25, y: 1, zoom: 2 } })).toEqual({
      ...{ '--square': '50% 50%', '--square-zoom': 1 },
      ...{ '--wide': '25% 100%', '--wide-zoom': 2 },
    });
  });
});

describe('coverSources', () => {
  const address = `/media/banners/${'a'.repeat(64)}.webp`;

  it('offers a cover image in three smaller widths and the original', () => {
    expect(coverSources(address, 'card', {}).srcSet).toBe(
      `${address}?width=480 480w, ${address}?width=800 800w, ${address}?width=1200 1200w, ${address} 1600w`,
    );
  });

  it('requests a larger source for a zoomed cover image', () => {
    const crops = { coverSquare: { x: 0, y: 0, zoom: 2 }, coverWide: { x: 0, y: 0, zoom: 1.5 } };
    expect(coverSources(address, 'card', { coverSquare: null }).sizes).toBe('(max-width:46em) 104vw,26rem');
    expect(coverSources(address, 'page', {}).sizes).toBe('(min-width:64em) 48rem,100vw');
    expect(coverSources(address, 'card', crops).sizes).toBe(
      '(max-width:46em) calc(104vw*1.5),calc(26rem*1.5)',
    );
    expect(coverSources(address, 'page', crops).sizes).toBe('(min-width:64em) calc(48rem*2),calc(100vw*1.5)');
  });

  it.each(['/media/patterns/3-a.svg', 'blob:http://localhost/1', 'data:image/png;base64,aaaa'])(
    'returns no sources for the image URL %s',
    (other) => expect(coverSources(other, 'page', {})).toEqual({}),
  );
});
