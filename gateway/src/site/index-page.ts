import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Community, type Event } from '@meetmark/contracts';
import { closestLocale, LOCALES, TEXT_LOCALES, type TextLocale, toTextLocale } from '@meetmark/i18n/locales';
import { firstGrapheme } from '@meetmark/contracts/first-grapheme';
import { coverSources, cropStyles } from '@meetmark/contracts/events/cover-crop';
import { coverAddress } from '@meetmark/contracts/events/cover-pattern';
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

/**
 * Returns JSON for a script element, escaped so that it can't end the element. The Content-Security-Policy
 * allows this inline element, because browsers don't execute JSON.
 */
export const jsonForScript = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

/** HTML with placeholders, from web/scripts/first-paint.ts. Older builds lack the optional pieces. */
export interface Pieces {
  frame: string;
  letter: string;
  logo: string;
  strip: string;
  landing: string;
  heroArt?: string;
  heroPhoto?: string;
  waiting?: string;
  noscript?: string;
  noscriptAtDoor?: string;
  event: string;
  eventWords?: string;
  state?: string;
  fact?: string;
  about?: string;
  text?: string;
  markdown?: string;
  eventList?: string;
  listed?: string;
  noEvents?: string;
  calendar?: string;
  forgotPassword?: string;
  hosts?: string;
  free?: string;
  howToPay?: string;
  cancelled?: string;
  ended?: string;
  full?: string;
  legal?: string;
  handbook?: string;
  handbookContents?: string;
  handbookParts?: string;
  handbookLanguage?: string;
  /** In older builds, its only placeholder is {{address}}. */
  picture: string;
  photo?: string;
}

export function framePaint(pieces: Pieces, community: Community, announced: boolean, main = ''): string {
  const strip = announced ? pieces.strip : '';
  return fill(pieces.frame, {
    strip,
    mark: renderMark(pieces, community),
    name: escape(community.name),
    main,
  });
}

const renderMark = (pieces: Pieces, { name, logoUrl }: Pick<Community, 'name' | 'logoUrl'>) =>
  logoUrl === null
    ? fill(pieces.letter, { letter: escape(firstGrapheme(name)) })
    : fill(pieces.logo, { address: escape(logoUrl) });

const communityData = (community: Pick<Community, 'name' | 'logoUrl'>) =>
  `<script type="application/json" id="community">${jsonForScript(community)}</script>`;

/** @param events list of events as HTML */
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

/** @param words text about the event as HTML */
export const eventPaint = (pieces: Pieces, community: Community, event: Event, words: string) =>
  fill(pieces.event, {
    picture: picturePaint(pieces, { community, event, place: 'page' }),
    title: escape(event.title),
    words,
  });

/** @param events list of events as HTML */
export const calendarPaint = ({ calendar = '', waiting = '' }: Pieces, events: string) =>
  fill(calendar, { events }) + waiting;

export const legalPaint = (
  { legal, waiting = '' }: Pieces,
  { title, text }: { title: string; text: string },
) => (legal === undefined ? waiting : fill(legal, { title: escape(title), text: escape(text) }));

const listHtml = (items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
const pageLink = ({ part, title }: HandbookPage) => `<a href="/help/${part}">${escape(title)}</a>`;

function partHtml(page: HandbookPage): string {
  const links = page.sections.map(
    ({ id, title }) => `<a href="/help/${page.part}#${id}">${escape(title)}</a>`,
  );
  return `<section><h2>${pageLink(page)}</h2><p>${escape(page.summary)}</p>${listHtml(links)}</section>`;
}

const sectionHtml = ({ id, title, html }: HandbookSection) =>
  `<section><h2 id="${id}">${escape(title)}</h2>${html}</section>`;

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

/** Replaces placeholders in a single pass, so that text like `{{name}}` in a value stays unchanged. */
export const fill = (piece: string, words: Record<string, string>) =>
  piece.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? '');

const META = /<!--meta-->[\s\S]*<!--\/meta-->/;
const TITLE = /<title>([^<]*)<\/title>/;
const COMMUNITY = '<!--community-->';
/** Default fonts, for communities that haven't chosen a font. */
const OWN_FONTS = /<link rel="preload" as="font"[^>]*>/g;
const NOSCRIPT = /<noscript>[^<]*<\/noscript>/;
const FIRST_PAINT = '<!--first-paint-->';
const FIRST_ANSWERS = '<!--first-answers-->';
/** Image preloads, which React adds next to the image elements. */
const PICTURES = /<link rel="preload" as="image"[^>]*>/g;
const START =
  /\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>|link rel="preload" as="fetch"[^>]*>)/g;

/** Defers files that would delay the page's image on a slow connection. web/public/scheme.js loads them. */
function afterPaint(html: string, paint: string): { html: string; paint: string } {
  const tags = [...html.matchAll(START), ...paint.matchAll(START)].map(([tag]) => tag.trim());
  const template = `<template id="start">${tags.join('')}</template>`;
  return {
    html: html.replaceAll(START, '').replace(FIRST_ANSWERS, () => FIRST_ANSWERS + template),
    paint: paint.replaceAll(START, ''),
  };
}

const CHECK_EVERY = 1_000;

const LANGUAGE = '<html lang="en-US">';
/** Paths of scripts in the default language. Each other language has its own folder. */
const SCRIPTS = /"\/assets\/([\w.-]+\.js)"/g;

export interface Language {
  tag: string;
  from: 'reader' | 'browser' | 'community';
}

/** Attributes that tell the application who chose the language (web/src/api/language.ts). */
const MARKS = { reader: ' data-chosen', browser: ' data-asked', community: '' };

interface Filling {
  language: Language;
  meta: string;
  firstPaint: (pieces: Pieces) => { paint: string; whole: boolean };
  queries: object;
  community: Pick<Community, 'brandPalettes' | 'font'>;
}

export class IndexPage {
  private html = '';
  private pieces = new Map<TextLocale, Pieces>();
  private translations: Partial<Record<TextLocale, string>> = {};
  private wordless: string[] = [];
  /** HTML for the head by font (web/scripts/community-fonts.ts). */
  private fonts: Record<string, string> = {};
  private handbooks = new Map<HandbookLanguage, Handbook>();
  private modified = 0;
  private checkedAt = 0;

  constructor(private readonly root: string) {}

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

  async door(tag: string, community: Community): Promise<string> {
    await this.version();
    const html = await readFile(join(this.root, 'door.html'), 'utf8');
    const [lang, texts] = [closestLocale(tag), toTextLocale(tag)];
    const pieces = this.pieces.get(texts) ?? this.pieces.get(LOCALES[0]);
    const { name, logoUrl } = community;
    return withNoscript(this.branded(html, community), pieces?.noscriptAtDoor)
      .replace(LANGUAGE, `<html lang="${lang}"${texts === lang ? '' : ` data-texts="${texts}"`}>`)
      .replace(TITLE, (_, title: string) => `<title>${title} · ${escape(name)}</title>`)
      .replace(COMMUNITY, () => communityData({ name, logoUrl }));
  }

  private branded(html: string, { brandPalettes, font }: Filling['community']): string {
    const page = brandedPage(html, brandPalettes);
    const head = font === null ? undefined : this.fonts[font];
    if (head === undefined) return page;
    const [first, ...others] = page.match(OWN_FONTS) ?? [];
    if (first === undefined) return page;
    return others.reduce((rest, tag) => rest.replace(tag, ''), page).replace(first, () => head);
  }

  async handbook(locale: string): Promise<Handbook | null> {
    await this.version();
    return this.handbooks.get(handbookLanguage(locale)) ?? null;
  }

  async with({ language: { tag, from }, meta, firstPaint, queries, community }: Filling): Promise<string> {
    await this.version();
    const texts = toTextLocale(tag);
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

const withNoscript = (html: string, noscript?: string) =>
  noscript === undefined ? html : html.replace(NOSCRIPT, () => noscript);

/** Returns null if the build lacks the file. Without it, pages may be empty until the script has loaded. */
const readBuilt = <T>(root: string, name: string) => readJson<T>(join(root, `.vite/${name}.json`));

async function readJson<T>(file: string): Promise<T | null> {
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as T) : null;
}
