import type { CoverShape, Event } from '@meetmark/contracts';
import { chosenPattern, coverPattern, PATTERN } from '@meetmark/contracts/events/cover-pattern';
import type { PictureColours } from '@meetmark/contracts/palette';
import type { PresentCommunity } from '@meetmark/platform';

interface Size {
  width: number;
  height: number;
}

/** Sizes in pixels. `wide` is for `og:image`, `square` for emails, which show it at a third of its size. */
export const SHARE_IMAGES: Record<CoverShape, Size> = {
  wide: { width: 1200, height: 630 },
  square: { width: 504, height: 504 },
};

export const shareImageUrl = (
  { id, version }: Pick<Event, 'id' | 'version'>,
  { settingsVersion }: Pick<PresentCommunity, 'settingsVersion'>,
) => `/media/share/${id}-${version}${settingsVersion > 1 ? `-${settingsVersion}` : ''}.jpg`;

export const communityImageUrl = ({ settingsVersion }: Pick<PresentCommunity, 'settingsVersion'>) =>
  `/media/share/community-${settingsVersion}.jpg`;

const patternSvg = (pattern: string, { width, height }: Size) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
  `viewBox="0 0 ${PATTERN.width} ${PATTERN.height}" preserveAspectRatio="xMidYMid slice">${pattern}</svg>`;

export const eventSvg = (
  { id, coverPattern: number }: Pick<Event, 'id' | 'coverPattern'>,
  { covers }: PictureColours,
  size: Size,
) => patternSvg(number ? chosenPattern(number, covers) : coverPattern(id, covers), size);

export function communitySvg({ deep, deepFirst, deepSecond }: PictureColours): string {
  const { width, height } = SHARE_IMAGES.wide;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="${width}" height="${height}" fill="${deep}"/>` +
    `<circle cx="${width - 150}" cy="60" r="250" fill="${deepFirst}"/>` +
    `<circle cx="${width}" cy="330" r="250" fill="${deepSecond}"/></svg>`
  );
}

export const patternFile = (number: number, { covers }: PictureColours): string =>
  patternSvg(chosenPattern(number, covers), { width: 2 * PATTERN.width, height: 2 * PATTERN.height });
