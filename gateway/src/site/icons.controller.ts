import { DomainError, GetCommunityPicture, buildPalettes, pictureHash } from '@meetmark/contracts';
import { InjectCommunity, type PresentCommunity } from '@meetmark/platform';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { Access, SameForAll } from '../http/access.js';
import { PictureDecoder } from '../media/decoder.js';
import { ANONYMOUS, Services } from '../services.js';

const SIDE = 32;
/** Side of the logo as a fraction of the icon's side. Small enough for icons that are cropped to a circle. */
const LOGO = 0.7;

interface Icon {
  size: number;
  /** Whether the corners are round. If false, the icon fills the square, for systems that crop icons. */
  round: boolean;
}

/** Files that web/public/manifest.webmanifest and web/index.html refer to. */
const ICONS: Record<string, Icon> = {
  '192.png': { size: 192, round: true },
  '512.png': { size: 512, round: true },
  'maskable-512.png': { size: 512, round: false },
  'apple-touch.png': { size: 180, round: false },
};

const calendarSheet = ({ fill, onFill }: { fill: string; onFill: string }) =>
  `<rect x="8" y="9" width="16" height="15" rx="3" fill="${onFill}"/><path d="M12 7v4M20 7v4" stroke="${onFill}" ` +
  `stroke-width="2.5" stroke-linecap="round"/><path d="M8 14h16" stroke="${fill}" stroke-width="2"/>`;

@ApiExcludeController()
@Controller()
export class IconsController {
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
    const made = this.once('favicon', async () => {
      const logo = await this.logo();
      const svg = this.svg({ size: SIDE, round: true }, logo === null ? null : embedded(logo));
      return new CachedResponse(svg, 'image/svg+xml');
    });
    await (await made).send(reply);
  }

  @Get('icons/:file')
  @Access('public')
  @SameForAll(null)
  async icon(@Param('file') file: string, @Res() reply: FastifyReply): Promise<void> {
    if (!Object.hasOwn(ICONS, file)) throw new DomainError('NOT_FOUND');
    const icon = ICONS[file]!;
    const made = this.once(file, async () => {
      const logo = await this.logo();
      const png = await this.decoder.draw({
        svg: this.svg(icon, logo === null ? null : ''),
        format: 'png',
        ...(logo === null ? {} : { logo: { webp: logo, side: Math.round(icon.size * LOGO) } }),
      });
      return new CachedResponse(png, 'image/png');
    });
    await (await made).send(reply);
  }

  private once(name: string, draw: () => Promise<CachedResponse>): Promise<CachedResponse> {
    if (this.version !== this.community.settingsVersion) this.drawn.clear();
    this.version = this.community.settingsVersion;
    const { drawn } = this;
    const made = drawn.get(name) ?? draw();
    drawn.set(name, made);
    made.catch(() => drawn.delete(name));
    return made;
  }

  private svg({ size, round }: Icon, mark: string | null): string {
    const { light } = buildPalettes(this.community.brandPalettes);
    const [ground, content] = mark === null ? [light.fill, calendarSheet(light)] : [light.surface, mark];
    const rect = `<rect width="${SIDE}" height="${SIDE}"${round ? ' rx="9"' : ''} fill="${ground}"/>`;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" ` +
      `viewBox="0 0 ${SIDE} ${SIDE}">${rect}${content}</svg>`
    );
  }

  private async logo(): Promise<Buffer | null> {
    const hash = pictureHash('community', this.community.logoUrl);
    if (hash === undefined) return null;
    const { base64 } = await this.services.read(GetCommunityPicture, { hash }, ANONYMOUS);
    return Buffer.from(base64, 'base64');
  }
}

function embedded(logo: Buffer): string {
  const side = SIDE * LOGO;
  const at = (SIDE - side) / 2;
  const address = `data:image/webp;base64,${logo.toString('base64')}`;
  return `<image x="${at}" y="${at}" width="${side}" height="${side}" href="${address}"/>`;
}
