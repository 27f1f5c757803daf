import { Readable } from 'node:stream';
import { type Community, type Event, GetManagedCalendar, ListEvents, type Page } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { type Call, InjectCommunity } from '@meetmark/platform';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { Access, Heavy } from '../http/access.js';
import { BYTE_ORDER_MARK, type Cell, lineWriter } from '../http/csv.js';
import { withNewDeadline } from '../http/request.js';
import { Describe } from '../openapi/describe.js';
import { Services } from '../services.js';

const PAGE = { managedBy: 'me', sort: 'startDate', limit: 100 } as const;
const COLUMNS = [
  ...(['id', 'title', 'status', 'visibility', 'startDate', 'endDate', 'isAllDay', 'timeZone'] as const),
  ...(['format', 'location', 'price', 'capacity', 'registrationCount', 'waitingCount', 'createdAt'] as const),
];

@Controller('api/admin/events')
export class EventExportsController {
  constructor(
    private readonly services: Services,
    private readonly config: GatewayConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  @Describe({
    summary: 'Export your events as CSV',
    description:
      'All events that you manage, drafts included, earliest first. The format is that of `GET /api/admin/events/{id}/guests.csv`, which has the registrations of an event.',
    answers: { 200: 'text/csv' },
  })
  @Get('export.csv')
  @Access('organiser')
  @Heavy()
  async csv(@Res() reply: FastifyReply): Promise<void> {
    const { call } = reply.request;
    const first = await this.services.read(ListEvents, PAGE);
    const toLine = lineWriter(reply.request, this.community);
    void reply
      .headers({ 'content-disposition': 'attachment; filename="events.csv"', 'cache-control': 'no-store' })
      .type('text/csv; charset=utf-8')
      .send(Readable.from(this.pages(first, call, toLine)));
  }

  private async *pages(
    first: Page<Event>,
    call: Call,
    toLine: (row: readonly Cell[]) => string,
  ): AsyncGenerator<string> {
    const toRow = (event: Event) => [
      ...COLUMNS.map((column) => event[column]),
      event.topics.map(({ name }) => name).join(', '),
      new URL(eventPath(event), this.config.publicUrl).href,
    ];
    yield BYTE_ORDER_MARK + toLine([...COLUMNS, 'topics', 'url']);
    let page = first;
    for (;;) {
      yield page.items.map((event) => toLine(toRow(event))).join('');
      const cursor = page.nextCursor;
      if (cursor === null) return;
      page = await withNewDeadline(call, () => this.services.read(ListEvents, { ...PAGE, cursor }));
    }
  }

  @Describe({
    summary: 'Export your events as a calendar',
    description: 'iCalendar file of the events that you manage, without drafts; at most the latest 1,000.',
    answers: { 200: 'text/calendar' },
  })
  @Get('export.ics')
  @Access('organiser')
  @Heavy()
  async calendar(@Res() reply: FastifyReply): Promise<void> {
    const { ics } = await this.services.read(GetManagedCalendar, {});
    void reply
      .headers({ 'content-disposition': 'attachment; filename="events.ics"', 'cache-control': 'no-store' })
      .type('text/calendar; charset=utf-8')
      .send(ics);
  }
}
