import type { Community, Event } from '@meetmark/contracts';
import escape from 'escape-html';

/** HTML that the web application's build leaves behind (web/scripts/first-paint.ts), with `{{words}}` to be filled in. */
export interface Pieces {
  /** Around every screen: {{strip}}, {{name}}, {{main}}. */
  frame: string;
  /** The announcement above it. */
  strip: string;
  /** {{name}}, {{tagline}}. */
  landing: string;
  /** Where the screen is still on its way; older builds have none. */
  waiting?: string;
  /** {{picture}}, {{title}}. */
  event: string;
  /** {{address}}. */
  picture: string;
}

/** What is seen until the script has come: the frame, and in it `main`. */
export function framePaint(pieces: Pieces, community: Community, announced: boolean, main = ''): string {
  const strip = announced ? pieces.strip : '';
  return fill(pieces.frame, { strip, name: escape(community.name), main });
}

export const landingPaint = (pieces: Pieces, { name, tagline }: Community) =>
  fill(pieces.landing, { name: escape(name), tagline: escape(tagline) });

export function eventPaint(pieces: Pieces, { title, bannerImageUrl }: Event): string {
  const picture = bannerImageUrl === null ? '' : fill(pieces.picture, { address: escape(bannerImageUrl) });
  return fill(pieces.event, { picture, title: escape(title) });
}

/** In one go: what is filled in is not looked through again. */
const fill = (piece: string, words: Record<string, string>) =>
  piece.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? '');
