import { Injectable } from '@nestjs/common';
import { DomainError, type CalendarDocument } from '@meetmark/contracts';
import { ArrayContains, DataSource } from 'typeorm';
import { EventEntity } from '../events/event.entity.js';
import { eventsFor, type EventQuery } from '../events/event-query.js';
import { cancelledEntryOf, entryOf } from './calendar-entry.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarWriter } from './calendar-writer.js';
import { DeletedEventEntity } from './deleted-event.entity.js';

/** Days after its end that an event stays in the public calendar. */
const DAYS_BACK = 30;
/** Entries of one calendar, the latest ones: a subscriber's program reads the whole document each time. */
const MAX_ENTRIES = 1_000;

@Injectable()
export class CalendarService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly feeds: CalendarFeedsService,
    private readonly writer: CalendarWriter,
  ) {}

  /** A deleted event is answered as cancelled. @throws DomainError EVENT_NOT_FOUND */
  async ofEvent(eventId: string): Promise<CalendarDocument> {
    const { manager } = this.dataSource;
    const event = await manager.findOneBy(EventEntity, { id: eventId });
    if (event) return this.writer.write([entryOf(event)]);
    const deleted = await manager.findOneBy(DeletedEventEntity, { id: eventId });
    if (!deleted) throw new DomainError('EVENT_NOT_FOUND');
    return this.writer.write([cancelledEntryOf(deleted)]);
  }

  async ofEverything(): Promise<CalendarDocument> {
    const recent = 'endDate > now() - make_interval(days => :daysBack)';
    const events = eventsFor(this.dataSource.manager, null).where(`event.${recent}`, { daysBack: DAYS_BACK });
    const deleted = this.deleted().where(`deleted.${recent}`, { daysBack: DAYS_BACK });
    return this.document(events, await deleted.getMany());
  }

  /** @throws DomainError CALENDAR_NOT_FOUND */
  async ofMember(token: string): Promise<CalendarDocument> {
    const userId = await this.feeds.memberOf(token);
    const events = eventsFor(this.dataSource.manager, userId).where("own.status = 'registered'");
    const deleted = this.deleted().where({ registeredUserIds: ArrayContains([userId]) });
    return this.document(events, await deleted.getMany());
  }

  private deleted() {
    return this.dataSource.manager
      .createQueryBuilder(DeletedEventEntity, 'deleted')
      .orderBy('deleted.startDate', 'DESC')
      .limit(MAX_ENTRIES);
  }

  private async document(events: EventQuery, deleted: DeletedEventEntity[]): Promise<CalendarDocument> {
    const rows = await events.orderBy('event.startDate', 'DESC').limit(MAX_ENTRIES).getMany();
    const entries = [...rows.map(entryOf), ...deleted.map(cancelledEntryOf)];
    return this.writer.write(
      entries.toSorted((one, other) => one.startDate.getTime() - other.startDate.getTime()),
    );
  }
}
