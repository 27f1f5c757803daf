/** Width / height. `square`: in emails and on wide event pages. `wide`: elsewhere. */
export const COVER_SHAPES = { square: 1, wide: 1200 / 630 } as const;
export type CoverShape = keyof typeof COVER_SHAPES;

/** `x` and `y` go from 0 (left, top) to 1, like CSS `object-position`. */
export interface CoverCrop {
  x: number;
  y: number;
  zoom: number;
}

export const MIDDLE: Readonly<CoverCrop> = { x: 0.5, y: 0.5, zoom: 1 };
export const MAX_ZOOM = 3;

/** @param shape width / height */
export function computePart(
  { x, y, zoom }: CoverCrop,
  shape: number,
  picture: { width: number; height: number },
): { x: number; y: number; width: number; height: number } {
  const width = Math.min(picture.width, picture.height * shape) / zoom;
  const height = width / shape;
  return { x: x * (picture.width - width), y: y * (picture.height - height), width, height };
}

const formatPosition = ({ x, y }: CoverCrop) => `${x * 100}% ${y * 100}%`;

export function cropStyles({
  coverSquare,
  coverWide,
}: {
  coverSquare?: CoverCrop | null;
  coverWide?: CoverCrop | null;
}) {
  const [square, wide] = [coverSquare ?? MIDDLE, coverWide ?? MIDDLE];
  return {
    '--square': formatPosition(square),
    '--square-zoom': square.zoom,
    '--wide': formatPosition(wide),
    '--wide-zoom': wide.zoom,
  };
}

/** Pixels, as in `?width=480`. The server offers only these widths and the original. */
export const COVER_WIDTHS = [480, 800, 1200] as const;
/** Maximum width of stored images, in pixels. Stands for the original's width, which isn't known here. */
const WHOLE = 1600;

/** Only stored images are available in several widths. Generated patterns are SVG. */
const STORED = /^\/media\/banners\/[0-9a-f]{64}\.webp$/;

const enlarged = (length: string, crop?: CoverCrop | null) =>
  crop && crop.zoom !== 1 ? `calc(${length}*${crop.zoom})` : length;

export function coverSources(
  address: string,
  place: 'card' | 'page',
  { coverSquare, coverWide }: { coverSquare?: CoverCrop | null; coverWide?: CoverCrop | null },
): { srcSet?: string; sizes?: string } {
  if (!STORED.test(address)) return {};
  // The width is a query parameter, because gateways of the previous version ignore unknown parameters.
  const narrower = COVER_WIDTHS.map((width) => `${address}?width=${width} ${width}w`);
  const sizes =
    place === 'card'
      ? `(max-width:46em) ${enlarged('104vw', coverWide)},${enlarged('26rem', coverWide)}`
      : `(min-width:64em) ${enlarged('48rem', coverSquare)},${enlarged('100vw', coverWide)}`;
  return { srcSet: [...narrower, `${address} ${WHOLE}w`].join(', '), sizes };
}
