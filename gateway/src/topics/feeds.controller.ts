import {
  type Community,
  DomainError,
  type Event,
  GetTopicCalendar,
  ListPublicEvents,
  ListTopics,
  type Topic,
  formatWhen,
  formatLocation,
} from '@meetmark/contracts';
import { tagFor } from '@meetmark/i18n/locales';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { whereWords } from '@meetmark/platform/mail/words';
import { CommunityFollower, InjectCommunity } from '@meetmark/platform';
import { Controller, Get, type OnModuleInit, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { rightUntil } from '../cache/event-responses.js';
import { ResponseCache } from '../cache/response-cache.js';
import { GatewayConfig } from '../gateway.config.js';
import { Access } from '../http/access.js';
import { Describe } from '../openapi/describe.js';
import { ANONYMOUS, Services } from '../services.js';
import { xmlText } from '../site/meta.js';

const FILE = /^([a-z0-9-]{1,40})\.(rss|ics)$/;
const ITEMS = 50;

@Controller('feeds')
export class FeedsController implements OnModuleInit {
  constructor(
    private readonly config: GatewayConfig,
    private readonly services: Services,
    private readonly responses: ResponseCache,
    private readonly follower: CommunityFollower,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** Refuses settings with which feed items can't be written. */
  onModuleInit(): Promise<void> {
    const moment = new Date(0);
    const span = { startDate: moment, endDate: moment, isAllDay: false };
    return this.follower.addTrial((candidate) => [
      whereWords(tagFor(null, candidate)),
      formatWhen(span, candidate),
      formatWhen({ ...span, isAllDay: true }, candidate),
    ]);
  }

  @Describe({
    summary: 'Get the RSS feed of events',
    description: "`file` is `events.rss`. Up to 50 public events that haven't ended.",
    answers: { 200: 'application/rss+xml' },
    refuses: ['NOT_FOUND'],
  })
  @Get(':file')
  @Access('public')
  async ofAll(@Param('file') file: string, @Res() reply: FastifyReply): Promise<void> {
    if (file !== 'events.rss') throw new DomainError('NOT_FOUND');
    const answer = await this.responses.get('feed', () => this.rss(file, null));
    await answer.send(reply);
  }

  @Describe({
    summary: 'Get the feed of a topic',
    description:
      "`file` is the topic's slug with `.rss` for an RSS feed of up to 50 events that haven't ended, or with `.ics` for a calendar (`text/calendar`).",
    answers: { 200: 'application/rss+xml' },
    refuses: ['TOPIC_NOT_FOUND'],
  })
  @Get('topics/:file')
  @Access('public')
  async ofTopic(@Param('file') file: string, @Res() reply: FastifyReply): Promise<void> {
    const [, slug, kind] = FILE.exec(file) ?? [];
    if (slug === undefined) throw new DomainError('TOPIC_NOT_FOUND');
    const answer = await this.responses.get(`feed ${file}`, () =>
      kind === 'ics' ? this.calendar(slug) : this.topicRss(file, slug),
    );
    await answer.send(reply);
  }

  private async calendar(slug: string): Promise<CachedResponse> {
    const { ics } = await this.services.read(GetTopicCalendar, { slug }, ANONYMOUS);
    return new CachedResponse(ics, 'text/calendar; charset=utf-8');
  }

  private async topicRss(file: string, slug: string): Promise<CachedResponse> {
    const topics = await this.services.read(ListTopics, {}, ANONYMOUS);
    const topic = topics.find((each) => each.slug === slug);
    if (topic === undefined) throw new DomainError('TOPIC_NOT_FOUND');
    return this.rss(`topics/${file}`, topic);
  }

  private async rss(file: string, topic: Topic | null): Promise<CachedResponse> {
    const filter = { time: 'notEnded', limit: ITEMS, ...(topic && { topic: topic.slug }) } as const;
    const asked = Date.now();
    const { items } = await this.services.read(ListPublicEvents, filter, ANONYMOUS);
    const { name, tagline } = this.community;
    const title = topic === null ? name : `${topic.name} · ${name}`;
    const body = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${xmlText(title)}</title>
<link>${this.url('/events')}</link>
<description>${xmlText(tagline)}</description>
<atom:link href="${this.url(`/feeds/${file}`)}" rel="self" type="application/rss+xml"/>
${items.map((event) => this.item(event)).join('\n')}
</channel>
</rss>
`;
    const until = rightUntil(items, asked);
    return new CachedResponse(body, 'application/rss+xml; charset=utf-8', {}, 200, { until });
  }

  /** Describes the event only by date and venue, because the rest is on its page. */
  private item(event: Event): string {
    const { id, title, startDate, endDate, createdAt, topics } = event;
    const span = { ...event, startDate: new Date(startDate), endDate: new Date(endDate) };
    const where = formatLocation(event, whereWords(tagFor(null, this.community)));
    const about = [formatWhen(span, this.community).text, where].filter((part) => part !== null);
    return [
      '<item>',
      `<title>${xmlText(title)}</title>`,
      `<link>${this.url(eventPath(event))}</link>`,
      // Uses the id, because slugs can change. Feed readers would then show the event as new.
      `<guid>${this.url(`/events/${id}`)}</guid>`,
      `<pubDate>${new Date(createdAt).toUTCString()}</pubDate>`,
      ...topics.map(({ name }) => `<category>${xmlText(name)}</category>`),
      `<description>${xmlText(about.join(' · '))}</description>`,
      '</item>',
    ].join('\n');
  }

  private url(path: string): string {
    return xmlText(new URL(path, this.config.publicUrl).href);
  }
}
