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
  requireIdentity,
  InjectCommunity,
  inTransaction,
  OutboxWriter,
} from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { lockMembers } from '../events/content/event-content.repository.js';
import { auditEvent } from '../events/notices/event-notices.js';
import { eventSeenBy } from '../events/core/events.repository.js';
import type { Viewer } from '../events/core/viewer.js';
import {
  insertMessage,
  isReachable,
  fetchMember,
  fetchPeople,
  type Message,
  provedAddress,
  type Writer,
} from './host-messages.repository.js';

const CONSTRAINTS: Record<string, ErrorCode> = {
  host_messages_writer_id_fkey: 'UNAUTHORIZED',
  host_messages_event_id_fkey: 'EVENT_NOT_FOUND',
  host_messages_host_id_fkey: 'HOST_NOT_REACHABLE',
};

/** Stores messages. The worker emails each one to the host and then erases its text. */
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
    const identity = requireIdentity(call);
    return this.send({ id, eventId, body }, identity, (manager) => fetchMember(manager, identity));
  }

  /** @throws DomainError CODE_INVALID, and the errors of `write` */
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
    await inTransaction(
      this.dataSource,
      async (manager) => {
        const event = await eventSeenBy(manager, viewer, message.eventId);
        const writer = await find(manager);
        if (!(await isReachable(manager, event.id))) throw new DomainError('HOST_NOT_REACHABLE');
        await lockMembers(manager, await fetchPeople(manager, event.id, writer));
        if (!(await insertMessage(manager, message, writer))) return;
        await this.outbox.add(manager, HostMessageMail, { messageId: message.id });
        await auditEvent(this.outbox, manager, 'event.hostWrittenTo', writer.id ?? VISITOR, event);
      },
      CONSTRAINTS,
    );
  }
}
