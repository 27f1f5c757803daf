import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  closestLocale,
  type Community,
  type Event,
  LOCALES,
  TEXT_LOCALES,
  type TextLocale,
  textLocaleOf,
} from '@meetmark/contracts';
import { coverSources, cropStyles } from '@meetmark/contracts/cover-crop';
import { coverAddress } from '@meetmark/contracts/cover-pattern';
import {
  type Handbook,
  HANDBOOK_LANGUAGES,
  handbookFile,
  handbookLanguage,
  type HandbookLanguage,
  type HandbookPage,
  type HandbookSection,
} from '@meetmark/contracts/handbook';
import { brandedPage } from '@meetmark/platform/community/brand';
import escape from 'escape-html';

/** JSON for a script element: nothing in it can end the element. Browsers do not run it, so the CSP allows it. */
export const jsonForScript = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

/** HTML of the web application's build (web/scripts/first-paint.ts) with `{{words}}` to fill in. */
export interface Pieces {
  /** Around every screen: {{strip}}, {{mark}}, {{name}}, {{main}}. */
  frame: string;
  /** Beside the name: {{letter}}, or for a community that has a logo {{address}}. */
  letter: string;
  logo: string;
  /** The announcement above it. */
  strip: string;
  /** {{name}}, {{headline}}, {{tagline}}, {{art}}, {{ways}}, {{events}}; of the first card {{picture}}, {{muted}}. */
  landing: string;
  /** Behind the headline, or of a community with a picture of its own {{address}}; older builds have none. */
  heroArt?: string;
  heroPhoto?: string;
  /** For a screen that is still loading; older builds have none. */
  waiting?: string;
  /** What browsers without scripts show, of the application and of the page of the door; older builds have none. */
  noscript?: string;
  noscriptAtDoor?: string;
  /** {{picture}}, {{title}}, {{words}}. */
  event: string;
  // What browsers without scripts show (words-paint.ts); older builds have none.
  /** {{state}}, {{facts}}, {{about}}, {{email}}. */
  eventWords?: string;
  /** {{state}}, {{reason}}. */
  state?: string;
  /** {{name}}, {{value}}. */
  fact?: string;
  /** {{description}}: one of the two below it. */
  about?: string;
  /** {{text}}. */
  text?: string;
  /** {{html}}. */
  markdown?: string;
  /** {{events}}: many of `listed`. */
  eventList?: string;
  /** {{address}}, {{title}}, {{facts}}. */
  listed?: string;
  noEvents?: string;
  /** The page of all events: {{events}}. */
  calendar?: string;
  /** {{email}}. */
  forgotPassword?: string;
  // Words alone.
  hosts?: string;
  free?: string;
  /** How one pays, where neither event nor community says it. */
  howToPay?: string;
  cancelled?: string;
  ended?: string;
  full?: string;
  /** {{title}}, {{text}}; older builds have none. */
  legal?: string;
  /** {{language}}, {{title}}, {{intro}}, {{note}}, {{contents}}, {{html}}; older builds have none. */
  handbook?: string;
  /** {{list}}. */
  handbookContents?: string;
  /** {{html}}: what the handbook's first page lists. */
  handbookParts?: string;
  /** Says that the handbook is in another language than the page. */
  handbookLanguage?: string;
  /** {{address}}, {{square}}, {{squareZoom}}, {{wide}}, {{wideZoom}}; older builds have the first alone. */
  picture: string;
  /** One that is to be had in several widths: also {{sources}}, {{sizes}}; older builds have none. */
  photo?: string;
}

/** The page until its script has loaded: the frame, and in it `main`. */
export function framePaint(pieces: Pieces, community: Community, announced: boolean, main = ''): string {
  const strip = announced ? pieces.strip : '';
  return fill(pieces.frame, { strip, mark: markOf(pieces, community), name: escape(community.name), main });
}

/** The community's logo, or the first letter of its name. */
const markOf = (pieces: Pieces, { name, logoUrl }: Pick<Community, 'name' | 'logoUrl'>) =>
  logoUrl === null
    ? fill(pieces.letter, { letter: escape([...name][0] ?? '') })
    : fill(pieces.logo, { address: escape(logoUrl) });

/** What the page of the door knows of the community before it asks. */
const communityData = (community: Pick<Community, 'name' | 'logoUrl'>) =>
  `<script type="application/json" id="community">${jsonForScript(community)}</script>`;

/** With the picture of the first event, which is the largest that the screen shows. @param events as HTML */
export const landingPaint = (
  { heroArt, heroPhoto, ...pieces }: Pieces,
  community: Community,
  { first, events = '' }: { first?: Event; events?: string } = {},
) => {
  const { name, headline, tagline, heroUrl, signInButton } = community;
  return fill(pieces.landing, {
    name: escape(name),
    headline: escape(headline),
    tagline: escape(tagline),
    events,
    art: heroUrl === null ? (heroArt ?? '') : fill(heroPhoto ?? '', { address: escape(heroUrl) }),
    ways: signInButton ? 'button' : 'panel',
    picture: picturePaint(pieces, { community, event: first, place: 'card' }),
    muted: String(first?.registrationState === 'cancelled'),
  });
};

/** @param words as HTML */
export const eventPaint = (pieces: Pieces, community: Community, event: Event, words: string) =>
  fill(pieces.event, {
    picture: picturePaint(pieces, { community, event, place: 'page' }),
    title: escape(event.title),
    words,
  });

/** @param events as HTML */
export const calendarPaint = ({ calendar = '', waiting = '' }: Pieces, events: string) =>
  fill(calendar, { events }) + waiting;

export const legalPaint = (
  { legal, waiting = '' }: Pieces,
  { title, text }: { title: string; text: string },
) => (legal === undefined ? waiting : fill(legal, { title: escape(title), text: escape(text) }));

const listHtml = (items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
const pageLink = ({ part, title }: HandbookPage) => `<a href="/help/${part}">${escape(title)}</a>`;

/** What the handbook's first page says of one of its pages. */
function partHtml(page: HandbookPage): string {
  const links = page.sections.map(
    ({ id, title }) => `<a href="/help/${page.part}#${id}">${escape(title)}</a>`,
  );
  return `<section><h2>${pageLink(page)}</h2><p>${escape(page.summary)}</p>${listHtml(links)}</section>`;
}

const sectionHtml = ({ id, title, html }: HandbookSection) =>
  `<section><h2 id="${id}">${escape(title)}</h2>${html}</section>`;

/** The handbook's contents, or one of its pages. @param isOther whether it is in another language than the page around it */
export function handbookPaint(
  { handbook, handbookContents = '', handbookParts = '', handbookLanguage: note = '', waiting = '' }: Pieces,
  { language, title, summary, pages, end }: Handbook,
  { page, isOther }: { page?: HandbookPage; isOther: boolean },
): string {
  if (handbook === undefined) return waiting;
  const words = { language, note: isOther ? note : '' };
  if (page === undefined) {
    const html = fill(handbookParts, { html: pages.map(partHtml).join('') }) + end;
    return fill(handbook, { ...words, title: escape(title), intro: escape(summary), html });
  }
  const contents = fill(handbookContents, { list: listHtml(pages.map(pageLink)) });
  const html = `<div>${page.html}</div>${page.sections.map(sectionHtml).join('')}`;
  return fill(handbook, { ...words, title: escape(page.title), contents, html });
}

/** Nothing for a picture that the script draws. */
function picturePaint(
  { picture, photo = picture }: Pieces,
  { community, event, place }: { community: Community; event?: Event; place: 'card' | 'page' },
): string {
  const address = event && coverAddress(event, community.brandPalettes.both.covers);
  if (!address) return '';
  const styles = cropStyles(event);
  const { srcSet: sources, sizes = '' } = coverSources(address, place, event);
  return fill(sources === undefined ? picture : photo, {
    address: escape(address),
    ...{ sources: escape(sources ?? ''), sizes },
    ...{ square: styles['--square'], squareZoom: String(styles['--square-zoom']) },
    ...{ wide: styles['--wide'], wideZoom: String(styles['--wide-zoom']) },
  });
}

/** In one pass: values are not searched for further words. */
export const fill = (piece: string, words: Record<string, string>) =>
  piece.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? '');

/** The part of index.html that differs from page to page. */
const META = /<!--meta-->[\s\S]*<!--\/meta-->/;
const TITLE = /<title>([^<]*)<\/title>/;
/** Where the page of the door names the community. */
const COMMUNITY = '<!--community-->';
/** What a page asks for whose community has chosen no font. */
const OWN_FONTS = /<link rel="preload" as="font"[^>]*>/g;
const NOSCRIPT = /<noscript>[^<]*<\/noscript>/;
const FIRST_PAINT = '<!--first-paint-->';
const FIRST_ANSWERS = '<!--first-answers-->';
/** Pictures of the first paint, as React asks for them beside their elements. */
const PICTURES = /<link rel="preload" as="image"[^>]*>/g;
/** What begins the application, and fetches its files. */
const START =
  /\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>|link rel="preload" as="fetch"[^>]*>)/g;

/**
 * The application's files wait in an element that does nothing, until what is painted first is there (web/public/scheme.js): on a slow
 * line they would arrive beside its picture, of which they are ten times the size.
 */
function afterPaint(html: string, paint: string): { html: string; paint: string } {
  const tags = [...html.matchAll(START), ...paint.matchAll(START)].map(([tag]) => tag.trim());
  const template = `<template id="start">${tags.join('')}</template>`;
  return {
    html: html.replaceAll(START, '').replace(FIRST_ANSWERS, () => FIRST_ANSWERS + template),
    paint: paint.replaceAll(START, ''),
  };
}

/** Milliseconds between two checks whether a build has replaced the file. */
const CHECK_EVERY = 1_000;

/** As the build writes it. */
const LANGUAGE = '<html lang="en-US">';
/** The files of the application, which each other language has in a folder of its own. */
const SCRIPTS = /"\/assets\/([\w.-]+\.js)"/g;

/** The language of a page. */
export interface Language {
  /** With its form of address. */
  tag: string;
  /** Who decided. */
  from: 'reader' | 'browser' | 'community';
}

/** How the application learns who decided (web/src/api/language.ts). */
const MARKS = { reader: ' data-chosen', browser: ' data-asked', community: '' };

/** The contents that differ from page to page. */
interface Filling {
  language: Language;
  meta: string;
  /** `whole`: it is what one came for, not a sign that it is on its way. */
  firstPaint: (pieces: Pieces) => { paint: string; whole: boolean };
  queries: object;
  community: Pick<Community, 'brandPalettes' | 'font'>;
}

/** index.html of the web application. */
export class IndexPage {
  private html = '';
  private pieces = new Map<TextLocale, Pieces>();
  /** The folders with the application in other languages than the default. */
  private translations: Partial<Record<TextLocale, string>> = {};
  /** The files that all languages share. */
  private wordless: string[] = [];
  /** What the head of a page has for a font that a community may choose (web/scripts/community-fonts.ts); older builds have none. */
  private fonts: Record<string, string> = {};
  private handbooks = new Map<HandbookLanguage, Handbook>();
  private modified = 0;
  private checkedAt = 0;

  constructor(private readonly root: string) {}

  /** Changes with the file. */
  async version(): Promise<number> {
    if (Date.now() - this.checkedAt < CHECK_EVERY) return this.modified;
    const file = join(this.root, 'index.html');
    const { mtimeMs } = await stat(file);
    if (mtimeMs !== this.modified) {
      this.html = await readFile(file, 'utf8');
      this.translations = (await readBuilt(this.root, 'translations')) ?? {};
      this.wordless = (await readBuilt(this.root, 'wordless')) ?? [];
      this.fonts = (await readBuilt(this.root, 'fonts')) ?? {};
      for (const locale of TEXT_LOCALES) {
        const name = locale === LOCALES[0] ? 'first-paint' : `first-paint.${locale}`;
        const pieces = await readBuilt<Pieces>(this.root, name);
        if (pieces === null) this.pieces.delete(locale);
        else this.pieces.set(locale, pieces);
      }
      for (const language of HANDBOOK_LANGUAGES) {
        const text = await readJson<Handbook>(join(this.root, handbookFile(language)));
        if (text === null) this.handbooks.delete(language);
        else this.handbooks.set(language, text);
      }
    }
    this.modified = mtimeMs;
    this.checkedAt = Date.now();
    return mtimeMs;
  }

  /** The page of the door. */
  async door(tag: string, community: Community): Promise<string> {
    await this.version();
    const html = await readFile(join(this.root, 'door.html'), 'utf8');
    const [lang, texts] = [closestLocale(tag), textLocaleOf(tag)];
    const pieces = this.pieces.get(texts) ?? this.pieces.get(LOCALES[0]);
    const { name, logoUrl } = community;
    return withNoscript(this.branded(html, community), pieces?.noscriptAtDoor)
      .replace(LANGUAGE, `<html lang="${lang}"${texts === lang ? '' : ` data-texts="${texts}"`}>`)
      .replace(TITLE, (_, title: string) => `<title>${title} · ${escape(name)}</title>`)
      .replace(COMMUNITY, () => communityData({ name, logoUrl }));
  }

  /** In the colours and the font of a community. */
  private branded(html: string, { brandPalettes, font }: Filling['community']): string {
    const page = brandedPage(html, brandPalettes);
    const head = font === null ? undefined : this.fonts[font];
    if (head === undefined) return page;
    const [first, ...others] = page.match(OWN_FONTS) ?? [];
    if (first === undefined) return page;
    return others.reduce((rest, tag) => rest.replace(tag, ''), page).replace(first, () => head);
  }

  /** The handbook in the language of a page, or the nearest; null for a build without one. */
  async handbook(locale: string): Promise<Handbook | null> {
    await this.version();
    return this.handbooks.get(handbookLanguage(locale)) ?? null;
  }

  async with({ language: { tag, from }, meta, firstPaint, queries, community }: Filling): Promise<string> {
    await this.version();
    const texts = textLocaleOf(tag);
    const pieces = this.pieces.get(texts) ?? this.pieces.get(LOCALES[0]);
    const first = pieces === undefined ? { paint: '', whole: false } : firstPaint(pieces);
    const answers = `<script type="application/json" id="first-answers">${jsonForScript(queries)}</script>`;
    const branded = this.branded(this.html, community);
    const folder = this.translations[texts] ?? 'assets';
    const translated = branded.replaceAll(SCRIPTS, (tag, file: string) =>
      this.wordless.includes(`assets/${file}`) ? tag : `"/${folder}/${file}"`,
    );
    const { html, paint } = first.whole
      ? afterPaint(translated, first.paint)
      : { html: translated, paint: first.paint };
    const pictures = paint.match(PICTURES) ?? [];
    return withNoscript(html, pieces?.noscript)
      .replace(LANGUAGE, `<html lang="${closestLocale(tag)}"${MARKS[from]}>`)
      .replace(META, () => pictures.join('') + meta)
      .replace(FIRST_PAINT, () => paint.replaceAll(PICTURES, ''))
      .replace(FIRST_ANSWERS, () => answers);
  }
}

/** Says in the reader's language what a browser without scripts shows. */
const withNoscript = (html: string, noscript?: string) =>
  noscript === undefined ? html : html.replace(NOSCRIPT, () => noscript);

/** Null for a build without the file: without first paint, pages are empty until the script has loaded. */
const readBuilt = <T>(root: string, name: string) => readJson<T>(join(root, `.vite/${name}.json`));

/** Null without such a file. */
async function readJson<T>(file: string): Promise<T | null> {
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as T) : null;
}
