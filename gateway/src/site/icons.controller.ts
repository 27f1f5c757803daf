import { DomainError, GetCommunityPicture, palettesOf, pictureHash } from '@meetmark/contracts';
import { InjectCommunity, type PresentCommunity } from '@meetmark/platform';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import escape from 'escape-html';
import type { FastifyReply } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { Access, SameForAll } from '../http/access.js';
import { PictureDecoder } from '../media/decoder.js';
import { letterOutline } from '../media/share-picture.js';
import { ANONYMOUS, Services } from '../services.js';

/** The side of the drawing. */
const SIDE = 32;
const LETTER = 20;
/** How much of the side a logo takes, so that systems that cut a circle leave all of it. */
const LOGO = 0.7;

interface Icon {
  /** Pixels. */
  size: number;
  /** Round by themselves, or to the edge for systems that cut their own shape. */
  round: boolean;
}

/** Those that web/public/manifest.webmanifest and web/index.html name. */
const ICONS: Record<string, Icon> = {
  '192.png': { size: 192, round: true },
  '512.png': { size: 512, round: true },
  'maskable-512.png': { size: 512, round: false },
  'apple-touch.png': { size: 180, round: false },
};

/** The icons of the site: the community's logo, else the first letter of its name on its colour. */
@ApiExcludeController()
@Controller()
export class IconsController {
  /** The icons of the present settings, by their names. */
  private drawn = new Map<string, Promise<CachedResponse>>();
  private version = 0;

  constructor(
    private readonly services: Services,
    private readonly decoder: PictureDecoder,
    @InjectCommunity() private readonly community: PresentCommunity,
  ) {}

  @Get('favicon.svg')
  @Access('public')
  @SameForAll(null)
  async favicon(@Res() reply: FastifyReply): Promise<void> {
    const made = this.once('favicon', async () => new CachedResponse(await this.svg(true), 'image/svg+xml'));
    await (await made).send(reply);
  }

  @Get('icons/:file')
  @Access('public')
  @SameForAll(null)
  async icon(@Param('file') file: string, @Res() reply: FastifyReply): Promise<void> {
    if (!Object.hasOwn(ICONS, file)) throw new DomainError('NOT_FOUND');
    const { size, round } = ICONS[file]!;
    const made = this.once(file, async () => {
      const icon = await this.svg(round);
      const png = await this.decoder.draw(() => ({ icon, size }));
      return new CachedResponse(png, 'image/png');
    });
    await (await made).send(reply);
  }

  /** Requests that come while an icon is drawn share the drawing; after a failure the next request draws again. */
  private once(name: string, draw: () => Promise<CachedResponse>): Promise<CachedResponse> {
    if (this.version !== this.community.settingsVersion) this.drawn.clear();
    this.version = this.community.settingsVersion;
    const { drawn } = this;
    const made = drawn.get(name) ?? draw();
    drawn.set(name, made);
    made.catch(() => drawn.delete(name));
    return made;
  }

  private async svg(round: boolean): Promise<string> {
    const { name, brandPalettes, font } = this.community;
    const { fill, onFill, surface } = palettesOf(brandPalettes).light;
    const logo = await this.logo();
    const [ground, sign] =
      logo === null
        ? [
            fill,
            `<g fill="${onFill}">${letterOutline(firstLetter(name), { side: SIDE, size: LETTER, font })}</g>`,
          ]
        : [surface, logo];
    const rect = `<rect width="${SIDE}" height="${SIDE}"${round ? ' rx="9"' : ''} fill="${ground}"/>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}">${rect}${sign}</svg>`;
  }

  /** One that is stored here; the letter stands for one elsewhere. */
  private async logo(): Promise<string | null> {
    const hash = pictureHash('community', this.community.logoUrl);
    if (hash === undefined) return null;
    const { base64 } = await this.services.read(GetCommunityPicture, { hash }, ANONYMOUS);
    const side = SIDE * LOGO;
    const at = (SIDE - side) / 2;
    const address = escape(`data:image/webp;base64,${base64}`);
    return `<image x="${at}" y="${at}" width="${side}" height="${side}" href="${address}"/>`;
  }
}

const firstLetter = (name: string) => ([...name][0] ?? '').toLocaleUpperCase();
