import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { DomainError, GetEvent, buildPalettes } from '@meetmark/contracts';
import { HANDBOOK_PARTS } from '@meetmark/contracts/handbook';
import {
  CommunityFollower,
  InjectCommunity,
  type PresentCommunity,
  getPublicFolder,
} from '@meetmark/platform';
import { Controller, Get, type OnModuleInit, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { GatewayConfig } from '../gateway.config.js';
import { Access, SameForAll } from '../http/access.js';
import { permissionsPolicy } from '../http/security-headers.js';
import { cookieName } from '../http/session.js';
import { Services } from '../services.js';
import { Installation } from './installation.js';
import { isDoor, Pages, type Reader, SETUP } from './pages.js';

const YEAR = '31536000';
const HASHED = /^\/?assets\//;

export async function serveWebFiles(server: FastifyInstance, root: string): Promise<void> {
  await server.register(fastifyStatic, {
    root,
    serve: false, // SiteController maps URLs to files.
    preCompressed: true,
    dotfiles: 'ignore',
    index: false,
    cacheControl: false,
  });
}

/** Needs no-store, or browsers keep the service worker of an older release for up to a day. */
const WORKER = '/door-worker.js';
const NO_STORE = 'no-store';

function getCacheControl(path: string): string {
  if (path === WORKER) return NO_STORE;
  return HASHED.test(path) ? `public, max-age=${YEAR}, immutable` : 'public, no-cache';
}

/** Headers of the door page. Its URL is a secret, so it must not be cached, indexed or sent as a referrer. */
const DOOR_HEADERS = {
  'cache-control': NO_STORE,
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'permissions-policy': permissionsPolicy('(self)'),
};

const isFile = (path: string) => extname(path) !== '';

const CHOSEN = /(?:^|;\s*)locale=([\w-]+)/;

/** URLs from before 1.1.0. Browsers keep the hash when they follow the redirect. */
const HELP_MOVED = new Map([
  ['/help/index.html', '/help'],
  ['/help/owners.html', '/help/admins'],
  ...HANDBOOK_PARTS.map((part) => [`/help/${part}.html`, `/help/${part}`] as const),
]);
const FOUND = 302;

const NOT_A_PAGE = /^\/(api|media)(\/|$)/i;

/** Paths to which @fastify/static would respond with 403 instead of this site's 404. */
const LEADS_OUT = /\.\.|\\/;

@ApiExcludeController()
@Controller()
export class SiteController implements OnModuleInit {
  /** The folder `public` next to the community's configuration file. The settings refer to images in it. */
  private readonly ownFolder: string;
  private readonly ownFiles: Set<string>;

  constructor(
    private readonly config: GatewayConfig,
    private readonly pages: Pages,
    private readonly installation: Installation,
    private readonly follower: CommunityFollower,
    private readonly services: Services,
    @InjectCommunity() private readonly community: PresentCommunity,
  ) {
    this.ownFolder = getPublicFolder(config.communityConfig);
    this.ownFiles = follower.pictures;
  }

  /** Refuses settings with which the landing page or the manifest can't be built. */
  async onModuleInit(): Promise<void> {
    await this.follower.addTrial((candidate) => this.pages.tryOut(candidate));
    await this.follower.addTrial((candidate) => this.buildManifest(candidate));
  }

  @Get('e/:slug')
  @Access('public')
  @SameForAll('pages')
  async eventAt(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseUnlessPage(request);
    if (await this.installation.isOpen()) return leadToSetup(reply);
    const { slug } = request.params as { slug: string };
    const page = await this.pages.ofEvent({ slug }, { ...this.getReader(request), request });
    await sendOrLead(page, reply);
  }

  /** Returns the page of an event or redirects to its slug. Managers also see their drafts. */
  @Get('events/:id')
  @Access('public')
  @SameForAll('pages')
  async event(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseUnlessPage(request);
    if (await this.installation.isOpen()) return leadToSetup(reply);
    const id = (request.params as { id: string }).id.toLowerCase();
    const reader = this.getReader(request);
    let cacheControl: string | undefined;
    const page = await this.pages.ofEvent({ id }, { ...reader, request }, async () => {
      await request.server.findCaller(request);
      await this.services.read(GetEvent, { eventId: id });
      cacheControl = NO_STORE;
      return this.pages.hidden(reader);
    });
    await sendOrLead(page, reply, cacheControl);
  }

  @Get('manifest.webmanifest')
  @Access('public')
  @SameForAll('pages')
  async manifest(@Res() reply: FastifyReply): Promise<void> {
    const manifest = await this.buildManifest(this.community);
    if (manifest === null) throw new DomainError('NOT_FOUND');
    const headers = { 'cache-control': 'public, no-cache' };
    await new CachedResponse(manifest, 'application/manifest+json', headers).send(reply);
  }

  private async buildManifest({ name, tagline, brandPalettes }: PresentCommunity): Promise<string | null> {
    const { webRoot } = this.config;
    if (webRoot === undefined) return null;
    const file = JSON.parse(await readFile(join(webRoot, 'manifest.webmanifest'), 'utf8')) as object;
    const { fill, canvas } = buildPalettes(brandPalettes).light;
    const words = { name, short_name: name, description: tagline };
    const colours = { theme_color: fill, background_color: canvas };
    return JSON.stringify({ ...file, ...words, ...colours });
  }

  @Get('*')
  @Access('public')
  @SameForAll('pages')
  async anything(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const path = `/${(request.params as { '*': string })['*']}`;
    if (this.config.webRoot === undefined || NOT_A_PAGE.test(path) || LEADS_OUT.test(path))
      throw new DomainError('NOT_FOUND');
    if (isDoor(path)) {
      refuseUnlessPage(request);
      return this.door(reply);
    }
    const help = HELP_MOVED.get(path);
    if (help !== undefined) return void reply.redirect(help, FOUND);
    if (isFile(path) && !(await this.isMissingPage(path, request))) {
      void reply.header('cache-control', getCacheControl(path));
      return void (this.ownFiles.has(path) ? reply.sendFile(path, this.ownFolder) : reply.sendFile(path));
    }
    refuseUnlessPage(request);
    const open = await this.installation.isOpen();
    if (open && path !== SETUP) return leadToSetup(reply);
    const reader = this.getReader(request);
    if (open) return (await this.pages.setup({ ...reader, isSettingUp: true })).send(reply, NO_STORE);
    const { event } = request.query as { event?: unknown };
    const details = typeof event === 'string' ? { eventId: event, request } : undefined;
    await (await this.pages.of(path, reader, details)).send(reply);
  }

  private async isMissingPage(path: string, { headers: { accept = '' } }: FastifyRequest): Promise<boolean> {
    if (!/text\/html/i.test(accept) || this.ownFiles.has(path)) return false;
    const found = await stat(join(this.config.webRoot!, path)).catch(() => null);
    return found === null;
  }

  private async door(reply: FastifyReply): Promise<void> {
    const page = await this.pages.door();
    await reply.headers(DOOR_HEADERS).type('text/html; charset=utf-8').send(page);
  }

  /** Doesn't parse the session cookie, because almost all pages only need to know if there is one. */
  private getReader({ headers: { cookie = '', 'accept-language': spoken }, query }: FastifyRequest): Reader {
    // The language chosen in the browser overrides the language in an email's link.
    const { locale } = query as { locale?: unknown };
    return {
      visitor: !cookie.includes(`${cookieName(this.config)}=`),
      chosen: CHOSEN.exec(cookie)?.[1] ?? locale,
      spoken,
    };
  }
}

/** Browsers must not cache the redirect, because slugs may be reused. */
async function sendOrLead(page: CachedResponse, reply: FastifyReply, cacheControl?: string): Promise<void> {
  const { location } = page.headers;
  if (location === undefined) return page.send(reply, cacheControl);
  const { url } = reply.request;
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  void reply.header('cache-control', 'no-cache').redirect(location + query, page.status);
}

function leadToSetup(reply: FastifyReply): void {
  void reply.header('cache-control', NO_STORE).redirect(SETUP, FOUND);
}

function refuseUnlessPage({ headers: { accept = '*/*' } }: FastifyRequest): void {
  if (!/text\/html|\*\/\*/i.test(accept)) throw new DomainError('NOT_FOUND');
}
