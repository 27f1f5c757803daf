import { Readable } from 'node:stream';
import type * as Contract from '@meetmark/contracts';
import {
  AddGuest,
  cellText,
  ChangeGuest,
  CHECKED_IN_BY,
  GetEvent,
  GuestChangeFields,
  GuestFields,
  GuestFilter,
  GuestSelection,
  ListGuests,
  PlaceFields,
  PlaceGuest,
  REGISTRATION_STATUSES,
  RemovalFields,
  RemoveGuest,
  type CheckedInBy,
  type Guest as ListedGuest,
  type Page,
  type Question,
} from '@meetmark/contracts';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Res } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, Limited } from '../http/access.js';
import { answerPage, checkedFields, checkedOfEvent, Fields, Filter, Id } from '../http/fields.js';
import { ANSWERS, ID, ID_OR_NULL, MOMENT, MOMENT_OR_NULL, OR_NULL, PICTURE } from '../openapi/answers.js';
import { Describe, pageOf } from '../openapi/describe.js';
import { Services } from '../services.js';

@ApiSchema({ description: 'A member, or somebody without an account, on the guest list of an event' })
export class Guest implements Contract.Guest {
  @ApiProperty({ ...ID, description: 'Of the registration' }) id!: string;
  @ApiProperty() name!: string;
  @ApiProperty(OR_NULL) email!: string | null;
  @ApiProperty({
    ...ID_OR_NULL,
    description: 'Null of somebody whom an organiser added, whether or not the address has an account',
  })
  userId!: string | null;
  @ApiProperty(PICTURE) profileImageUrl!: string | null;
  @ApiProperty({ enum: REGISTRATION_STATUSES }) state!: Contract.RegistrationStatus;
  @ApiProperty(MOMENT) registeredAt!: string;
  @ApiProperty({ ...OR_NULL, description: 'Of the organisers, for the organisers' }) note!: string | null;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'When somebody was marked as having paid' })
  paidAt!: string | null;
  @ApiProperty(MOMENT_OR_NULL) checkedInAt!: string | null;
  @ApiProperty({
    enum: CHECKED_IN_BY,
    nullable: true,
    description: 'At the door, by the own phone, or as who manages the event says',
  })
  checkedInBy!: CheckedInBy | null;
  @ApiProperty({
    description: 'Had a place at an event that is over and where others were checked in, and did not come',
  })
  noShow!: boolean;
  @ApiProperty({ ...ANSWERS, description: 'To the questions of the event, by their ids' })
  answers!: Contract.Answers;
}

/** The guest list of an event, for those who manage it. */
@Controller('api/admin/events/:id')
export class GuestsController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary:
      'Everybody who has, had or waits for a place, in the order of arrival: members, and people without an account whom an organiser added',
    answers: { 200: pageOf(Guest) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('guests')
  @Access('manager')
  async list(
    @Id() eventId: string,
    @Filter(GuestFilter) filter: GuestFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Guest[]> {
    return answerPage(reply, filter, await this.services.read(ListGuests, { eventId, ...filter }));
  }

  @Describe({
    summary:
      'The guest list as a CSV file, with a column for each question: times in ISO 8601, nothing that a spreadsheet would calculate',
    answers: { 200: 'text/csv' },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('guests.csv')
  @Access('manager')
  export(@Id() eventId: string, @Res() reply: FastifyReply): Promise<void> {
    return this.sendFile(reply, eventId, () => true);
  }

  @Describe({
    summary: 'The same of some of them; an id that is none of the event is left out',
    answers: { 200: 'text/csv' },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Post('guests.csv')
  @HttpCode(200)
  @Access('manager')
  exportSome(
    @Id() eventId: string,
    @Fields(GuestSelection) { ids }: GuestSelection,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wanted = new Set(ids.map((id) => id.toLowerCase()));
    return this.sendFile(reply, eventId, ({ id }) => wanted.has(id));
  }

  private async sendFile(reply: FastifyReply, eventId: string, isWanted: IsWanted): Promise<void> {
    const { content } = await this.services.read(GetEvent, { eventId });
    const first = await this.services.read(ListGuests, { eventId });
    void reply
      .headers({ 'content-disposition': 'attachment; filename="guests.csv"', 'cache-control': 'no-store' })
      .type('text/csv; charset=utf-8')
      .send(Readable.from(this.pages(eventId, first, isWanted, content.questions)));
  }

  /** As fast as they are read: however long the list is, a page of it is in memory. */
  private async *pages(
    eventId: string,
    first: Page<ListedGuest>,
    isWanted: IsWanted,
    questions: Question[],
  ): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + linesOf([[...COLUMNS, ...questions.map(({ label }) => label)]]);
    for (
      let page = first;
      ;
      page = await this.services.read(ListGuests, { eventId, cursor: page.nextCursor! })
    ) {
      const wanted = page.items.filter(isWanted);
      if (wanted.length > 0) yield linesOf(wanted.map((guest) => rowOf(guest, questions)));
      if (page.nextCursor === null) return;
    }
  }

  @Describe({
    summary:
      'Add somebody by name, and address if they are to be told. A full event answers how many wait (`details.waiting`) unless `raiseCapacity` adds a place',
    answers: { 201: Guest },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_NOT_PUBLISHED', 'EVENT_CANCELLED', 'EVENT_FULL', 'GUEST_EXISTS'],
    body: GuestFields,
  })
  @Post('guests')
  @Access('manager')
  @Limited('guest-mails')
  async add(@Id() eventId: string, @Body() body: unknown): Promise<Guest> {
    const fields = await checkedOfEvent(this.services, eventId, GuestFields, body);
    return this.services.call(AddGuest, { eventId, ...fields });
  }

  @Describe({
    summary:
      'Change the private note, whether they have paid, or whether they came; what is left out stays. `checkedIn` corrects the door at any time',
    answers: { 200: Guest },
    refuses: [
      'EVENT_NOT_FOUND',
      'GUEST_NOT_FOUND',
      'EVENT_NOT_PUBLISHED',
      'EVENT_CANCELLED',
      'NOT_REGISTERED',
    ],
  })
  @Patch('guests/:guestId')
  @Access('manager')
  change(
    @Id() eventId: string,
    @Id('guestId') guestId: string,
    @Fields(GuestChangeFields) fields: GuestChangeFields,
  ): Promise<Guest> {
    return this.services.call(ChangeGuest, { eventId, guestId, ...fields });
  }

  @Describe({
    summary: 'Give a place to somebody who waits or was removed, with `raiseCapacity` a new one',
    answers: { 200: Guest },
    refuses: ['EVENT_NOT_FOUND', 'GUEST_NOT_FOUND', 'EVENT_NOT_PUBLISHED', 'EVENT_CANCELLED', 'EVENT_FULL'],
    body: PlaceFields,
    bodyOptional: true,
  })
  @Post('guests/:guestId/place')
  @HttpCode(200)
  @Access('manager')
  @Limited('guest-mails')
  async place(@Id() eventId: string, @Id('guestId') guestId: string, @Body() body: unknown): Promise<Guest> {
    const fields = await checkedFields(PlaceFields, body);
    return this.services.call(PlaceGuest, { eventId, guestId, ...fields });
  }

  @Describe({
    summary: 'Take somebody off the guest list or the waiting list; they are mailed the reason',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND', 'GUEST_NOT_FOUND'],
    body: RemovalFields,
    bodyOptional: true,
  })
  @Delete('guests/:guestId')
  @Access('manager')
  @Limited('guest-mails')
  async remove(@Id() eventId: string, @Id('guestId') guestId: string, @Body() body: unknown): Promise<void> {
    const fields = await checkedFields(RemovalFields, body);
    await this.services.call(RemoveGuest, { eventId, guestId, ...fields });
  }
}

type IsWanted = (guest: ListedGuest) => boolean;

const COLUMNS = [
  'name',
  'email',
  'state',
  'registeredAt',
  'checkedInAt',
  'noShow',
  'paidAt',
  'note',
] as const;

/** After what is known of everybody, the answer to each question. */
const rowOf = (guest: ListedGuest, questions: Question[]) => [
  ...COLUMNS.map((column) => guest[column]),
  ...questions.map(({ id }) => guest.answers[id] ?? null),
];

type Cell = string | number | boolean | null;

/** RFC 4180. */
const cellOf = (value: Cell): string => {
  const text = typeof value === 'string' ? cellText(value) : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** By which spreadsheets know UTF-8; a file begins with it. */
const BYTE_ORDER_MARK = '\uFEFF';

const linesOf = (rows: (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
