/** The shapes in which an event's picture is shown, as width by height: in the page's column and mails, and where it is shared. */
export const COVER_SHAPES = { square: 1, wide: 1200 / 630 } as const;
export type CoverShape = keyof typeof COVER_SHAPES;

/**
 * Which part of a picture is shown: how much of the way it has gone to the right and down, from 0 to 1, and how many times it is enlarged.
 * The way is what the shape leaves, as that of `object-position` in CSS.
 */
export interface CoverCrop {
  x: number;
  y: number;
  zoom: number;
}

/** What is shown until somebody moves it. */
export const MIDDLE: Readonly<CoverCrop> = { x: 0.5, y: 0.5, zoom: 1 };
export const MAX_ZOOM = 3;

/** The part of a picture, in its own pixels, that fills a shape. @param shape width by height */
export function partOf(
  { x, y, zoom }: CoverCrop,
  shape: number,
  picture: { width: number; height: number },
): { x: number; y: number; width: number; height: number } {
  const width = Math.min(picture.width, picture.height * shape) / zoom;
  const height = width / shape;
  return { x: x * (picture.width - width), y: y * (picture.height - height), width, height };
}

const placeOf = ({ x, y }: CoverCrop) => `${x * 100}% ${y * 100}%`;

/** What the page's styles show of a picture, in both shapes. */
export function cropStyles({
  coverSquare,
  coverWide,
}: {
  coverSquare?: CoverCrop | null;
  coverWide?: CoverCrop | null;
}) {
  const [square, wide] = [coverSquare ?? MIDDLE, coverWide ?? MIDDLE];
  return {
    '--square': placeOf(square),
    '--square-zoom': square.zoom,
    '--wide': placeOf(wide),
    '--wide-zoom': wide.zoom,
  };
}

/** Widths, in pixels, in which an event's picture is to be had beside its own: `?width=480` of its address. No other exists. */
export const COVER_WIDTHS = [480, 800, 1200] as const;
/** What the picture itself is taken for: the most that is kept of a width. */
const WHOLE = 1600;

/** The address of a stored picture; patterns are drawings. */
const STORED = /^\/media\/banners\/[0-9a-f]{64}\.webp$/;

/** A length of CSS, as many times as the part that is shown is enlarged. */
const enlarged = (length: string, crop?: CoverCrop | null) =>
  crop && crop.zoom !== 1 ? `calc(${length}*${crop.zoom})` : length;

/**
 * Of which widths a browser may choose one, and how wide the picture is shown there: in a list, or at the top of a page. As of one twice as
 * wide as high, within the page's margins: what its place cuts away has its width, too. Nothing for a pattern.
 */
export function coverSources(
  address: string,
  place: 'card' | 'page',
  { coverSquare, coverWide }: { coverSquare?: CoverCrop | null; coverWide?: CoverCrop | null },
): { srcSet?: string; sizes?: string } {
  if (!STORED.test(address)) return {};
  // a query and no other name: a gateway of the version before answers the whole picture
  const narrower = COVER_WIDTHS.map((width) => `${address}?width=${width} ${width}w`);
  const sizes =
    place === 'card'
      ? `(max-width:46em) ${enlarged('104vw', coverWide)},${enlarged('26rem', coverWide)}`
      : `(min-width:64em) ${enlarged('48rem', coverSquare)},${enlarged('100vw', coverWide)}`;
  return { srcSet: [...narrower, `${address} ${WHOLE}w`].join(', '), sizes };
}
