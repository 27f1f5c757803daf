import {
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
  formatWhen,
  formatLocation,
  REPLIES_UNLESS_GIVEN,
  ListEventMessages,
  GetEventMessage,
  ListMessageRecipients,
  GetMessageAudience,
  CreateEventMessage,
  ChangeEventMessage,
  CancelEventMessage,
  PreviewEventMessage,
  TestEventMessage,
  FindGuestMessages,
  SetGuestMessages,
} from '@meetmark/contracts';
import { tagFor } from '@meetmark/i18n/locales';
import {
  InjectCommunity,
  inTransaction,
  OutboxWriter,
  Handles,
  type Call,
  callerId,
} from '@meetmark/platform';
import { renderHtml, renderText } from '@meetmark/platform/mail/content';
import { whereWords } from '@meetmark/platform/mail/words';
import { Links } from '@meetmark/platform/mail/links';
import { messageMail } from '@meetmark/platform/mail/message-mail';
import { Controller } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { requireManager } from '../events/core/event-managers.js';
import { auditEvent } from '../events/notices/event-notices.js';
import type { EventEntity } from '../events/core/event.entity.js';
import { databaseTime, lockEvent, managedEvent } from '../events/core/events.repository.js';
import { EventsConfig } from '../events.config.js';
import {
  fetchAudience,
  cancelMessage,
  changeMessage,
  chosenAt,
  fetchContact,
  guestWantsMessages,
  insertMessage,
  messageExists,
  fetchMessage,
  type MessageRow,
  fetchMessages,
  type MessageValues,
  fetchRecipients,
  requireFewMessages,
  setGuestWantsMessages,
} from './messages.repository.js';

/** The worker determines the recipients when sending starts. */
@Controller()
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
  @Handles(ListEventMessages)
  list({ eventId, ...page }: ListEventMessagesRequest, call: Call): Promise<Page<EventMessage>> {
    return this.reading(call, eventId, async (manager) => {
      const { items, ...rest } = await fetchMessages(manager, eventId, page);
      return { ...rest, items: items.map(present) };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, MESSAGE_NOT_FOUND, FORBIDDEN */
  @Handles(GetEventMessage)
  get({ eventId, messageId }: EventMessageRequest, call: Call): Promise<EventMessagePage> {
    return this.reading(call, eventId, async (manager) =>
      presentPage(await fetchMessage(manager, eventId, messageId)),
    );
  }

  /** @throws DomainError EVENT_NOT_FOUND, MESSAGE_NOT_FOUND, FORBIDDEN */
  @Handles(ListMessageRecipients)
  recipients(
    { eventId, messageId, ...filter }: ListMessageRecipientsRequest,
    call: Call,
  ): Promise<Page<MessageRecipient>> {
    return this.reading(call, eventId, async (manager) => {
      await fetchMessage(manager, eventId, messageId);
      return fetchRecipients(manager, messageId, filter);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(GetMessageAudience)
  audience({ eventId }: EventIdRequest, call: Call): Promise<MessageAudience> {
    return this.reading(call, eventId, (manager) => fetchAudience(manager, eventId));
  }

  /** @throws DomainError EVENT_NOT_FOUND, MESSAGE_WITHOUT_RECIPIENTS, MESSAGE_LIMIT, FORBIDDEN, VALIDATION_FAILED */
  @Handles(CreateEventMessage)
  create({ id, eventId, ...fields }: CreateEventMessageRequest, call: Call): Promise<EventMessagePage> {
    return this.changing(call, eventId, async (manager, event) => {
      // the client may have repeated the request because the first answer was lost
      if (await messageExists(manager, id)) return presentPage(await fetchMessage(manager, event.id, id));
      const values = await this.toValues(manager, event, fields);
      await insertMessage(manager, { ...values, id, eventId: event.id, authorId: callerId(call) });
      await this.schedule(manager, event.id, id, values);
      await auditEvent(this.outbox, manager, 'message.created', callerId(call), event);
      return presentPage(await fetchMessage(manager, event.id, id));
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, MESSAGE_NOT_FOUND, MESSAGE_SENT, and the errors of `create` */
  @Handles(ChangeEventMessage)
  change(
    { eventId, messageId, ...fields }: ChangeEventMessageRequest,
    call: Call,
  ): Promise<EventMessagePage> {
    return this.changing(call, eventId, async (manager, event) => {
      const { id } = await fetchMessage(manager, event.id, messageId);
      const values = await this.toValues(manager, event, fields);
      if (!(await changeMessage(manager, id, callerId(call), values))) throw new DomainError('MESSAGE_SENT');
      await this.schedule(manager, event.id, id, values);
      await auditEvent(this.outbox, manager, 'message.updated', callerId(call), event);
      return presentPage(await fetchMessage(manager, event.id, id));
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, MESSAGE_NOT_FOUND, MESSAGE_SENT, FORBIDDEN */
  @Handles(CancelEventMessage)
  cancel({ eventId, messageId }: EventMessageRequest, call: Call): Promise<void> {
    return this.changing(call, eventId, async (manager, event) => {
      const { id, state } = await fetchMessage(manager, event.id, messageId);
      if (state === 'cancelled') return;
      if (!(await cancelMessage(manager, id))) throw new DomainError('MESSAGE_SENT');
      await auditEvent(this.outbox, manager, 'message.cancelled', callerId(call), event);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(PreviewEventMessage)
  preview(request: EventMessageTextRequest, call: Call): Promise<RenderedMessage> {
    return this.reading(call, request.eventId, async (manager, event) => {
      const { firstName, lastName } = await fetchContact(manager, callerId(call));
      const locale = tagFor(null, this.community);
      const content = messageMail(
        {
          locale,
          communityName: this.community.name,
          subject: request.subject,
          firstName,
          title: event.title,
          when: formatWhen(event, this.community),
          place: formatLocation(event, whereWords(locale)),
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
        // replaces the unsubscribe link, which is secret and different for each recipient
        unsubscribeUrl: this.links.settings(),
      };
      return { subject: content.subject, html: renderHtml(content, frame), text: renderText(content, frame) };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(TestEventMessage)
  test({ eventId, ...text }: EventMessageTextRequest, call: Call): Promise<void> {
    return this.changing(call, eventId, async (manager, event) => {
      const { subject, body, replyTo = REPLIES_UNLESS_GIVEN } = text;
      const payload = { userId: callerId(call), eventId: event.id, subject, body, replyTo };
      await this.outbox.add(manager, MessageTestMail, payload);
      await auditEvent(this.outbox, manager, 'message.tested', callerId(call), event);
    });
  }

  @Handles(FindGuestMessages)
  async findGuest({ registrationId }: GuestMessagesRequest): Promise<{ subscribed: boolean } | null> {
    const subscribed = await guestWantsMessages(this.dataSource.manager, registrationId);
    return subscribed === null ? null : { subscribed };
  }

  @Handles(SetGuestMessages)
  async setGuest({ registrationId, subscribed }: SetGuestMessagesRequest): Promise<void> {
    await setGuestWantsMessages(this.dataSource.manager, registrationId, subscribed);
  }

  private async toValues(
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
        segment === 'chosen' ? 'must contain at least one registration' : 'is only for the segment chosen',
      ]);
    const chosen = new Set(await chosenAt(manager, eventId, registrationIds));
    const stranger = registrationIds.findIndex((each) => !chosen.has(each));
    if (stranger !== -1)
      throw new DomainError('VALIDATION_FAILED', {
        fields: { registrationIds: [`registrationIds[${stranger}] is nobody at this event`] },
      });
    if (draft && sendAt !== undefined) throw invalidFields(['sendAt', 'must be left out for a draft']);
    if (draft) return { ...text, state: 'draft', sendAt: null };
    const now = await databaseTime(manager);
    if (sendAt !== undefined) {
      if (new Date(sendAt) <= now) throw invalidFields(['sendAt', 'must be in the future']);
      return { ...text, state: 'scheduled', sendAt: new Date(sendAt) };
    }
    if (segment !== 'chosen' && (await fetchAudience(manager, eventId))[segment] === 0)
      throw new DomainError('MESSAGE_WITHOUT_RECIPIENTS');
    return { ...text, state: 'sending', sendAt: now };
  }

  /**
   * Doesn't remove the jobs of previous send times. The worker ignores a job if the send time has changed.
   */
  private async schedule(
    manager: EntityManager,
    eventId: string,
    messageId: string,
    { sendAt }: MessageValues,
  ): Promise<void> {
    if (sendAt === null) return;
    await requireFewMessages(manager, eventId, sendAt);
    await this.outbox.add(
      manager,
      SendMessage,
      { messageId, sendAt: sendAt.toISOString() },
      { notBefore: sendAt },
    );
  }

  private reading<T>(
    call: Call,
    eventId: string,
    work: (manager: EntityManager, event: EventEntity) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.dataSource, async (manager) =>
      work(manager, await managedEvent(manager, call, eventId)),
    );
  }

  /** Locks the event, so that its messages are created one after another. */
  private changing<T>(
    call: Call,
    eventId: string,
    work: (manager: EntityManager, event: EventEntity) => Promise<T>,
  ): Promise<T> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        await requireManager(manager, call, eventId);
        return work(manager, await lockEvent(manager, eventId, 'for_no_key_update'));
      },
      { messages_forward_check: 'MESSAGE_SENT' },
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
