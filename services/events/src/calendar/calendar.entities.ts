import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A member's secret address: only the hash of its token is stored. */
@Entity({ schema: 'events', name: 'calendar_feeds' })
export class CalendarFeedEntity {
  @PrimaryColumn('uuid')
  userId!: string;

  /** SHA-256 of the token. */
  @Column('bytea')
  tokenHash!: Buffer;

  @Column('timestamptz')
  createdAt!: Date;
}

/** What calendars have to know of a deleted event. */
@Entity({ schema: 'events', name: 'deleted_events' })
export class DeletedEventEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  title!: string;

  @Column('text', { nullable: true })
  location!: string | null;

  @Column('timestamptz')
  startDate!: Date;

  @Column('timestamptz')
  endDate!: Date;

  @Column('boolean')
  isAllDay!: boolean;

  @Column('text', { nullable: true })
  timeZone!: string | null;

  @Column('integer')
  sequence!: number;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  deletedAt!: Date;

  /** Whether the public calendar had it. */
  @Column('boolean', { select: false })
  listed!: boolean;

  /** The members whose calendars contain it. */
  @Column('uuid', { array: true })
  registeredUserIds!: string[];
}
