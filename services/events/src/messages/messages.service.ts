import {
  type AuditAction,
  type ChangeEventMessageRequest,
  type Community,
  type CreateEventMessageRequest,
  DomainError,
  type EventIdRequest,
  type EventMessage,
  type EventMessagePage,
  type EventMessageRequest,
  type EventMessageTextRequest,
  type GuestMessagesRequest,
  invalidFields,
  type ListEventMessagesRequest,
  type ListMessageRecipientsRequest,
  type MessageAudience,
  type MessageFields,
  type MessageRecipient,
  MessageTestMail,
  type Page,
  type RenderedMessage,
  SendMessage,
  type SetGuestMessagesRequest,
  whenOf,
  whereOf,
  REPLIES_UNLESS_GIVEN,
  tagFor,
} from '@meetmark/contracts';
import { InjectCommunity, inTransaction, OutboxWriter } from '@meetmark/platform';
import { renderHtml, renderText } from '@meetmark/platform/mail/content';
import { whereWords } from '@meetmark/platform/mail/words';
import { Links } from '@meetmark/platform/mail/links';
import { messageMail } from '@meetmark/platform/mail/message-mail';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type CallingManager, requireManager } from '../events/event-managers.js';
import { auditEvent } from '../events/event-notices.js';
import type { EventEntity } from '../events/event.entity.js';
import { databaseTime, lockEvent, managedEvent } from '../events/events.repository.js';
import { EventsConfig } from '../events.config.js';
import {
  audienceOf,
  cancelMessage,
  changeMessage,
  chosenAt,
  contactOf,
  guestWantsMessages,
  insertMessage,
  messageExists,
  messageOf,
  type MessageRow,
  messagesOf,
  type MessageValues,
  recipientsOf,
  setGuestWantsMessages,
} from './messages.repository.js';

/** What organisers write to the people of an event. The worker fixes the recipients when sending starts. */
@Injectable()
export class MessagesService {
  private readonly links: Links;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    config: EventsConfig,
    @InjectCommunity() private readonly community: Community,
  ) {
    this.links = new Links(config.publicUrl);
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  list(caller: CallingManager, { eventId, ...page }: ListEventMessagesRequest): Promise<Page<EventMessage>> {
    return this.reading(caller, eventId, async (manager) => {
      const { items, ...rest } = await messagesOf(manager, eventId, page);
      return { ...rest, items: items.map(present) };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, MESSAGE_NOT_FOUND, FORBIDDEN */
  get(caller: CallingManager, { eventId, messageId }: EventMessageRequest): Promise<EventMessagePage> {
    return this.reading(caller, eventId, async (manager) =>
      presentPage(await messageOf(manager, eventId, messageId)),
    );
  }

  /** @throws DomainError EVENT_NOT_FOUND, MESSAGE_NOT_FOUND, FORBIDDEN */
  recipients(
    caller: CallingManager,
    { eventId, messageId, ...filter }: ListMessageRecipientsRequest,
  ): Promise<Page<MessageRecipient>> {
    return this.reading(caller, eventId, async (manager) => {
      await messageOf(manager, eventId, messageId);
      return recipientsOf(manager, messageId, filter);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  audience(caller: CallingManager, { eventId }: EventIdRequest): Promise<MessageAudience> {
    return this.reading(caller, eventId, (manager) => audienceOf(manager, eventId));
  }

  /** @throws DomainError EVENT_NOT_FOUND, MESSAGE_WITHOUT_RECIPIENTS, MESSAGE_LIMIT, FORBIDDEN, VALIDATION_FAILED */
  create(
    caller: CallingManager,
    { id, eventId, ...fields }: CreateEventMessageRequest,
  ): Promise<EventMessagePage> {
    return this.changing(caller, eventId, async (manager, event) => {
      // a repeated request, whose answer was lost
      if (await messageExists(manager, id)) return presentPage(await messageOf(manager, event.id, id));
      const values = await this.valuesOf(manager, event, fields);
      await insertMessage(manager, { ...values, id, eventId: event.id, authorId: caller.sub });
      await this.schedule(manager, id, values);
      await this.audit(manager, 'message.created', caller, event);
      return presentPage(await messageOf(manager, event.id, id));
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, MESSAGE_NOT_FOUND, MESSAGE_SENT, and as `create` */
  change(
    caller: CallingManager,
    { eventId, messageId, ...fields }: ChangeEventMessageRequest,
  ): Promise<EventMessagePage> {
    return this.changing(caller, eventId, async (manager, event) => {
      const { id } = await messageOf(manager, event.id, messageId);
      const values = await this.valuesOf(manager, event, fields);
      if (!(await changeMessage(manager, id, caller.sub, values))) throw new DomainError('MESSAGE_SENT');
      await this.schedule(manager, id, values);
      await this.audit(manager, 'message.updated', caller, event);
      return presentPage(await messageOf(manager, event.id, id));
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, MESSAGE_NOT_FOUND, MESSAGE_SENT, FORBIDDEN */
  cancel(caller: CallingManager, { eventId, messageId }: EventMessageRequest): Promise<void> {
    return this.changing(caller, eventId, async (manager, event) => {
      const { id, state } = await messageOf(manager, event.id, messageId);
      if (state === 'cancelled') return;
      if (!(await cancelMessage(manager, id))) throw new DomainError('MESSAGE_SENT');
      await this.audit(manager, 'message.cancelled', caller, event);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  preview(caller: CallingManager, request: EventMessageTextRequest): Promise<RenderedMessage> {
    return this.reading(caller, request.eventId, async (manager, event) => {
      const { firstName, lastName } = await contactOf(manager, caller.sub);
      const locale = tagFor(null, this.community);
      const content = messageMail(
        {
          locale,
          communityName: this.community.name,
          subject: request.subject,
          firstName,
          title: event.title,
          when: whenOf(event, this.community),
          place: whereOf(event, whereWords(locale)),
          url: this.links.event(event),
          coverUrl: this.links.squareCover(event.id, event.version),
          author: `${firstName} ${lastName}`,
          toAuthor: (request.replyTo ?? REPLIES_UNLESS_GIVEN) === 'author',
        },
        request.body,
      );
      const { name: communityName, supportEmail, brandPalettes, font, logoUrl, legalPages } = this.community;
      const frame = {
        ...{ communityName, supportEmail, locale, brandPalettes, font },
        logoUrl: logoUrl && this.links.picture(logoUrl),
        homeUrl: this.links.home(),
        legalUrls: Object.fromEntries(legalPages.map((page) => [page, this.links.legal(page, null)])),
        settingsUrl: this.links.settings(),
        // each recipient's own is a secret of theirs
        unsubscribeUrl: this.links.settings(),
      };
      return { subject: content.subject, html: renderHtml(content, frame), text: renderText(content, frame) };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  test(caller: CallingManager, { eventId, ...text }: EventMessageTextRequest): Promise<void> {
    return this.changing(caller, eventId, async (manager, event) => {
      const { subject, body, replyTo = REPLIES_UNLESS_GIVEN } = text;
      const payload = { userId: caller.sub, eventId: event.id, subject, body, replyTo };
      await this.outbox.add(manager, MessageTestMail, payload);
      await this.audit(manager, 'message.tested', caller, event);
    });
  }

  async findGuest({ registrationId }: GuestMessagesRequest): Promise<{ subscribed: boolean } | null> {
    const subscribed = await guestWantsMessages(this.dataSource.manager, registrationId);
    return subscribed === null ? null : { subscribed };
  }

  async setGuest({ registrationId, subscribed }: SetGuestMessagesRequest): Promise<void> {
    await setGuestWantsMessages(this.dataSource.manager, registrationId, subscribed);
  }

  /** @throws DomainError MESSAGE_WITHOUT_RECIPIENTS, VALIDATION_FAILED */
  private async valuesOf(
    manager: EntityManager,
    { id: eventId }: EventEntity,
    {
      segment,
      registrationIds = [],
      subject,
      body,
      replyTo = REPLIES_UNLESS_GIVEN,
      sendAt,
      draft = false,
    }: MessageFields,
  ): Promise<MessageValues> {
    const text = { segment, registrationIds, subject, body, replyTo };
    if ((segment === 'chosen') !== registrationIds.length > 0)
      throw invalidFields([
        'registrationIds',
        segment === 'chosen' ? 'must name somebody' : 'is for the segment chosen only',
      ]);
    const chosen = new Set(await chosenAt(manager, eventId, registrationIds));
    const stranger = registrationIds.findIndex((each) => !chosen.has(each));
    if (stranger !== -1)
      throw new DomainError('VALIDATION_FAILED', {
        fields: { registrationIds: [`registrationIds[${stranger}] is nobody at this event`] },
      });
    if (draft && sendAt !== undefined) throw invalidFields(['sendAt', 'is not for drafts']);
    if (draft) return { ...text, state: 'draft', sendAt: null };
    const now = await databaseTime(manager);
    if (sendAt !== undefined) {
      if (new Date(sendAt) <= now) throw invalidFields(['sendAt', 'must be in the future']);
      return { ...text, state: 'scheduled', sendAt: new Date(sendAt) };
    }
    if (segment !== 'chosen' && (await audienceOf(manager, eventId))[segment] === 0)
      throw new DomainError('MESSAGE_WITHOUT_RECIPIENTS');
    return { ...text, state: 'sending', sendAt: now };
  }

  /** The job of an earlier time does nothing. */
  private async schedule(
    manager: EntityManager,
    messageId: string,
    { sendAt }: MessageValues,
  ): Promise<void> {
    if (sendAt === null) return;
    await this.outbox.add(
      manager,
      SendMessage,
      { messageId, sendAt: sendAt.toISOString() },
      { notBefore: sendAt },
    );
  }

  private audit(
    manager: EntityManager,
    action: AuditAction,
    { sub }: CallingManager,
    event: EventEntity,
  ): Promise<void> {
    return auditEvent(this.outbox, manager, action, sub, event);
  }

  private reading<T>(
    caller: CallingManager,
    eventId: string,
    work: (manager: EntityManager, event: EventEntity) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.dataSource, async (manager) =>
      work(manager, await managedEvent(manager, caller, eventId)),
    );
  }

  /** Runs `work` with the event locked, so that messages of the same event are made one after another. */
  private changing<T>(
    caller: CallingManager,
    eventId: string,
    work: (manager: EntityManager, event: EventEntity) => Promise<T>,
  ): Promise<T> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        await requireManager(manager, caller, eventId);
        return work(manager, await lockEvent(manager, eventId, 'for_no_key_update'));
      },
      { messages_daily_check: 'MESSAGE_LIMIT', messages_forward_check: 'MESSAGE_SENT' },
    );
  }
}

const present = ({
  eventId: _,
  body: __,
  registrationIds: ___,
  sendAt,
  startedAt,
  createdAt,
  updatedAt,
  ...row
}: MessageRow): EventMessage => ({
  ...row,
  sendAt: sendAt?.toISOString() ?? null,
  startedAt: startedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

const presentPage = (row: MessageRow): EventMessagePage => ({
  ...present(row),
  body: row.body,
  registrationIds: row.registrationIds,
});
