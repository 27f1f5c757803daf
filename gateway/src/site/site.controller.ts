import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { DomainError, GetEvent, palettesOf } from '@meetmark/contracts';
import { HANDBOOK_PARTS } from '@meetmark/contracts/handbook';
import {
  CommunityFollower,
  InjectCommunity,
  type PresentCommunity,
  publicFolderOf,
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

const YEAR = '31536000'; // seconds
/** Files in this folder have the hash of their content in their name. */
const HASHED = /^\/?assets\//;

/** Lets replies send files of the built web application, compressed if the build has compressed them. */
export async function serveWebFiles(server: FastifyInstance, root: string): Promise<void> {
  await server.register(fastifyStatic, {
    root,
    serve: false, // SiteController maps addresses to files
    preCompressed: true,
    dotfiles: 'ignore',
    index: false,
    cacheControl: false,
  });
}

/** Without it, a browser would run the service worker of an older release for up to a day. */
const WORKER = '/door-worker.js';
const NO_STORE = 'no-store';

function cacheControlOf(path: string): string {
  if (path === WORKER) return NO_STORE;
  return HASHED.test(path) ? `public, max-age=${YEAR}, immutable` : 'public, no-cache';
}

/** The address of the door is its secret: no cache is to know it, no search engine, and no page that is opened from it. */
const DOOR_HEADERS = {
  'cache-control': NO_STORE,
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'permissions-policy': permissionsPolicy('(self)'),
};

const isFile = (path: string) => extname(path) !== '';

/** The language that somebody chose for this browser's pages (web/src/api/language.ts). */
const CHOSEN = /(?:^|;\s*)locale=([\w-]+)/;

/** Where the pages of the handbook were before 1.1.0; a browser takes the section of the address along. */
const HELP_MOVED = new Map([
  ['/help/index.html', '/help'],
  ['/help/owners.html', '/help/admins'],
  ...HANDBOOK_PARTS.map((part) => [`/help/${part}.html`, `/help/${part}`] as const),
]);
const FOUND = 302;

/** Addresses that are never a page, in any spelling. */
const NOT_A_PAGE = /^\/(api|media)(\/|$)/i;

/** @fastify/static would answer 403; this site answers 404. */
const LEADS_OUT = /\.\.|\\/;

/** Everything but the API: files of the web application, and its one page under each of its addresses. */
@ApiExcludeController()
@Controller()
export class SiteController implements OnModuleInit {
  /** Pictures that the file of the community names: they lie in the folder `public` beside it. */
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
    this.ownFolder = publicFolderOf(config.communityConfig);
    this.ownFiles = follower.pictures;
  }

  /** Settings are not taken over without page and manifest. */
  async onModuleInit(): Promise<void> {
    await this.follower.addTrial((candidate) => this.pages.tryOut(candidate));
    await this.follower.addTrial((candidate) => this.manifestOf(candidate));
  }

  /** The page of an event, which is published; at the short addresses that it had before it leads to the present one. */
  @Get('e/:slug')
  @Access('public')
  @SameForAll('pages')
  async eventAt(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseUnlessPage(request);
    if (await this.installation.isOpen()) return leadToSetup(reply);
    const { slug } = request.params as { slug: string };
    const { cookie = '' } = request.headers;
    const page = await this.pages.ofEvent({ slug }, { ...this.readerOf(request), ip: request.ip, cookie });
    await sendOrLead(page, reply);
  }

  /** A draft's for who manages it, which has no other; else it leads to the short address. */
  @Get('events/:id')
  @Access('public')
  @SameForAll('pages')
  async event(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseUnlessPage(request);
    if (await this.installation.isOpen()) return leadToSetup(reply);
    const id = (request.params as { id: string }).id.toLowerCase();
    const { cookie = '' } = request.headers;
    const reader = this.readerOf(request);
    let cacheControl: string | undefined;
    const page = await this.pages.ofEvent({ id }, { ...reader, ip: request.ip, cookie }, async () => {
      await request.server.findCaller(request);
      await this.services.read(GetEvent, { eventId: id });
      cacheControl = NO_STORE;
      return this.pages.hidden(reader);
    });
    await sendOrLead(page, reply, cacheControl);
  }

  /** The one file that names the community: what a phone shows below the icon of the installed site. */
  @Get('manifest.webmanifest')
  @Access('public')
  @SameForAll('pages')
  async manifest(@Res() reply: FastifyReply): Promise<void> {
    const manifest = await this.manifestOf(this.community);
    if (manifest === null) throw new DomainError('NOT_FOUND');
    const headers = { 'cache-control': 'public, no-cache' };
    await new CachedResponse(manifest, 'application/manifest+json', headers).send(reply);
  }

  /** Null without a web application. */
  private async manifestOf({ name, tagline, brandPalettes }: PresentCommunity): Promise<string | null> {
    const { webRoot } = this.config;
    if (webRoot === undefined) return null;
    const file = JSON.parse(await readFile(join(webRoot, 'manifest.webmanifest'), 'utf8')) as object;
    const { fill, canvas } = palettesOf(brandPalettes).light;
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
      void reply.header('cache-control', cacheControlOf(path));
      return void (this.ownFiles.has(path) ? reply.sendFile(path, this.ownFolder) : reply.sendFile(path));
    }
    refuseUnlessPage(request);
    const open = await this.installation.isOpen();
    if (open && path !== SETUP) return leadToSetup(reply);
    const reader = this.readerOf(request);
    if (open) return (await this.pages.setup({ ...reader, isSettingUp: true })).send(reply, NO_STORE);
    const { event } = request.query as { event?: unknown };
    const details = typeof event === 'string' ? { eventId: event, ip: request.ip } : undefined;
    await (await this.pages.of(path, reader, details)).send(reply);
  }

  /** Whether a person, not a page that needs the file, asks for one that is not there: they get the page that says so. */
  private async isMissingPage(path: string, { headers: { accept = '' } }: FastifyRequest): Promise<boolean> {
    if (!/text\/html/i.test(accept) || this.ownFiles.has(path)) return false;
    const found = await stat(join(this.config.webRoot!, path)).catch(() => null);
    return found === null;
  }

  private async door(reply: FastifyReply): Promise<void> {
    const page = await this.pages.door();
    await reply.headers(DOOR_HEADERS).type('text/html; charset=utf-8').send(page);
  }

  /** Cookies of pages are not parsed (`anonymous`): of the session only its absence matters to nearly all. */
  private readerOf({ headers: { cookie = '', 'accept-language': spoken }, query }: FastifyRequest): Reader {
    // a link of a mail carries the mail's language; a language chosen in the browser comes first
    const { locale } = query as { locale?: unknown };
    return {
      visitor: !cookie.includes(`${cookieName(this.config)}=`),
      chosen: CHOSEN.exec(cookie)?.[1] ?? locale,
      spoken,
    };
  }
}

/** An address may come back: no browser keeps where it led. */
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

/** A client that accepts no HTML gets no page. */
function refuseUnlessPage({ headers: { accept = '*/*' } }: FastifyRequest): void {
  if (!/text\/html|\*\/\*/i.test(accept)) throw new DomainError('NOT_FOUND');
}
