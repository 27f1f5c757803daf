import {
  type Community,
  DomainError,
  type ErrorCode,
  HostMessageMail,
  VISITOR,
  WriteToHost,
  WriteToHostAsVisitor,
  type WriteToHostAsVisitorRequest,
  type WriteToHostRequest,
} from '@meetmark/contracts';
import {
  type Call,
  Handles,
  identityOf,
  InjectCommunity,
  inTransaction,
  OutboxWriter,
} from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { auditEvent } from '../events/event-notices.js';
import { eventSeenBy, type Viewer } from '../events/events.repository.js';
import {
  insertMessage,
  isReachable,
  memberOf,
  type Message,
  provedAddress,
  secondsUntilFree,
  type Writer,
} from './host-messages.repository.js';

/** Refusals that the constraints of the table mean. */
const CONSTRAINTS: Record<string, ErrorCode> = {
  host_messages_writer_limit: 'RATE_LIMITED',
  host_messages_host_limit: 'RATE_LIMITED',
  host_messages_writer_id_fkey: 'UNAUTHORIZED',
};

/** People write to the host of an event, where the community lets them. The worker mails what they wrote and forgets it. */
@Controller()
export class HostMessagesController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** @throws DomainError NOT_FOUND, EVENT_NOT_FOUND, ADDRESS_UNPROVED, HOST_NOT_REACHABLE, RATE_LIMITED */
  @Handles(WriteToHost)
  write({ id, eventId, message: body }: WriteToHostRequest, call: Call): Promise<void> {
    const identity = identityOf(call);
    return this.send({ id, eventId, body }, identity, (manager) => memberOf(manager, identity));
  }

  /** @throws DomainError CODE_INVALID, and as `write` */
  @Handles(WriteToHostAsVisitor)
  writeAsVisitor({ proof: id, eventId, message: body, name }: WriteToHostAsVisitorRequest): Promise<void> {
    return this.send({ id, eventId, body }, null, async (manager) => {
      const email = await provedAddress(manager, id, eventId);
      if (email === null) throw new DomainError('CODE_INVALID');
      return { id: null, name, email };
    });
  }

  private async send(
    message: Message,
    viewer: Viewer,
    find: (manager: EntityManager) => Promise<Writer>,
  ): Promise<void> {
    if (!this.community.contactHost) throw new DomainError('NOT_FOUND');
    let writer: Writer | undefined;
    try {
      await inTransaction(
        this.dataSource,
        async (manager) => {
          const event = await eventSeenBy(manager, viewer, message.eventId);
          writer = await find(manager);
          if (!(await isReachable(manager, event.id))) throw new DomainError('HOST_NOT_REACHABLE');
          if (!(await insertMessage(manager, message, writer))) return;
          await this.outbox.add(manager, HostMessageMail, { messageId: message.id });
          await auditEvent(this.outbox, manager, 'event.hostWrittenTo', writer.id ?? VISITOR, event);
        },
        CONSTRAINTS,
      );
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'RATE_LIMITED' || writer === undefined)
        throw error;
      const retryAfter = await secondsUntilFree(this.dataSource.manager, message.eventId, writer.email);
      throw new DomainError('RATE_LIMITED', { retryAfter }, { cause: error });
    }
  }
}
