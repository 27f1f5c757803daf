import { Readable } from 'node:stream';
import type * as Contract from '@meetmark/contracts';
import {
  AddGuest,
  ChangeGuest,
  CHECKED_IN_BY,
  FORMER_MEMBER_NAME,
  GetEvent,
  GuestChangeFields,
  GuestFields,
  GuestFilter,
  GuestSelection,
  ListGuests,
  ManyRemovalFields,
  PlaceFields,
  PlaceGuest,
  REGISTRATION_STATUSES,
  RemovalFields,
  RemoveGuests,
  type Community,
  type CheckedInBy,
  type Guest as ListedGuest,
  type Page,
  type Question,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Res } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, Heavy, Limited } from '../http/access.js';
import { BYTE_ORDER_MARK, type Cell, lineWriter } from '../http/csv.js';
import { answerPage, checkedFields, checkedOfEvent, Fields, Filter, Id } from '../http/fields.js';
import { ANSWERS, ID, ID_OR_NULL, MOMENT, MOMENT_OR_NULL, OR_NULL, PICTURE } from '../openapi/answers.js';
import { Describe, describePage } from '../openapi/describe.js';
import { Services } from '../services.js';

@ApiSchema({ description: 'A person on the guest list of an event: a member, or someone without an account' })
export class Guest implements Contract.Guest {
  @ApiProperty({ ...ID, description: 'ID of the registration' }) id!: string;
  @ApiProperty() name!: string;
  @ApiProperty(OR_NULL) email!: string | null;
  @ApiProperty({
    ...ID_OR_NULL,
    description:
      'null for guests whom an organiser or someone at the door added, even if the email address has an account',
  })
  userId!: string | null;
  @ApiProperty(PICTURE) profileImageUrl!: string | null;
  @ApiProperty({ description: 'Whether the member hasn’t verified their email address' })
  unconfirmed!: boolean;
  @ApiProperty({ enum: REGISTRATION_STATUSES }) state!: Contract.RegistrationStatus;
  @ApiProperty(MOMENT) registeredAt!: string;
  @ApiProperty({ ...OR_NULL, description: 'Private note of the people who manage the event' }) note!:
    | string
    | null;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'When the guest was marked as paid' })
  paidAt!: string | null;
  @ApiProperty(MOMENT_OR_NULL) checkedInAt!: string | null;
  @ApiProperty({
    enum: CHECKED_IN_BY,
    nullable: true,
    description: 'Who checked the guest in: someone at the door, the guest, or someone who manages the event',
  })
  checkedInBy!: CheckedInBy | null;
  @ApiProperty({
    description:
      'Whether the guest missed the event: it is over, others were checked in, but this registered guest was not',
  })
  noShow!: boolean;
  @ApiProperty({ ...ANSWERS, description: 'Answers by the ID of the question' })
  answers!: Contract.Answers;
}

@Controller('api/admin/events/:id')
export class GuestsController {
  constructor(
    private readonly services: Services,
    @InjectCommunity() private readonly community: Community,
  ) {}

  @Describe({
    summary: 'List guests',
    description:
      'Everyone who is or was registered or on the waiting list, in order of registration: members, and people without an account whom an organiser added.',
    answers: { 200: describePage(Guest) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('guests')
  @Access('manager')
  @Heavy()
  async list(
    @Id() eventId: string,
    @Filter(GuestFilter) filter: GuestFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Guest[]> {
    return answerPage(reply, filter, await this.services.read(ListGuests, { eventId, ...filter }));
  }

  @Describe({
    summary: 'Export the guest list as CSV',
    description:
      "Has a column for each field and each question. Times are ISO 8601. Cells can't run as spreadsheet formulas. The separator follows the language: send `Accept-Language: en` for commas; languages that write 0,5 get semicolons.",
    answers: { 200: 'text/csv' },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('guests.csv')
  @Access('manager')
  @Heavy()
  export(@Id() eventId: string, @Res() reply: FastifyReply): Promise<void> {
    return this.sendFile(reply, eventId, () => true);
  }

  @Describe({
    summary: 'Export selected guests as CSV',
    description:
      "The same file as `GET`, with the guests in `ids` only. Ignores ids that aren't on the list.",
    answers: { 200: 'text/csv' },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Post('guests.csv')
  @HttpCode(200)
  @Access('manager')
  @Heavy()
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
    const first = await this.services.read(ListGuests, { eventId, uncounted: true });
    const toLine = lineWriter(reply.request, this.community);
    void reply
      .headers({ 'content-disposition': 'attachment; filename="guests.csv"', 'cache-control': 'no-store' })
      .type('text/csv; charset=utf-8')
      .send(Readable.from(this.pages(eventId, first, isWanted, content.questions, toLine)));
  }

  private async *pages(
    eventId: string,
    first: Page<ListedGuest>,
    isWanted: IsWanted,
    questions: Question[],
    toLine: (row: readonly Cell[]) => string,
  ): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + toLine([...COLUMNS, ...questions.map(({ label }) => label)]);
    for (
      let page = first;
      ;
      page = await this.services.read(ListGuests, { eventId, uncounted: true, cursor: page.nextCursor! })
    ) {
      const wanted = page.items.filter(isWanted);
      if (wanted.length > 0) yield wanted.map((guest) => toLine(toRow(guest, questions))).join('');
      if (page.nextCursor === null) return;
    }
  }

  @Describe({
    summary: 'Add a guest',
    description:
      'With `email`, the guest gets a confirmation and can take the registration over. At a full event, the response is 409 `EVENT_FULL` with the size of the waiting list in `details.waiting`, unless `raiseCapacity` is true.',
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
    summary: 'Update a guest',
    description:
      'Sets the private note, the payment or the check-in. Fields that you leave out keep their value. `checkedIn` works at any time, even after the event.',
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
    summary: 'Register a guest',
    description:
      'Registers someone who is on the waiting list or was removed before. Does nothing if they are registered. At a full event, the response is 409 `EVENT_FULL` unless `raiseCapacity` is true, which adds a place.',
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
    summary: 'Remove a guest',
    description: 'Removes the guest from the guest list or the waiting list. Emails them, with `reason`.',
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
    await this.services.call(RemoveGuests, { eventId, ids: [guestId], ...fields });
  }

  @Describe({
    summary: 'Remove several guests',
    description:
      "Removes up to 500 guests from the guest list or the waiting list. Emails them, with `reason`. Ignores ids that aren't on the list; 404 `GUEST_NOT_FOUND` if none is.",
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND', 'GUEST_NOT_FOUND'],
  })
  @Post('guests/remove')
  @HttpCode(204)
  @Access('manager')
  @Limited('guest-mails')
  removeMany(@Id() eventId: string, @Fields(ManyRemovalFields) fields: ManyRemovalFields): Promise<void> {
    return this.services.call(RemoveGuests, { eventId, ...fields });
  }
}

type IsWanted = (guest: ListedGuest) => boolean;

const COLUMNS = [
  'name',
  'email',
  'unconfirmed',
  'state',
  'registeredAt',
  'checkedInAt',
  'noShow',
  'paidAt',
  'note',
] as const;

const toRow = (guest: ListedGuest, questions: Question[]) => [
  ...COLUMNS.map((column) => guest[column] || (column === 'name' ? FORMER_MEMBER_NAME : guest[column])),
  ...questions.map(({ id }) => guest.answers[id] ?? null),
];
