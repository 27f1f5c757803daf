import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'events', name: 'calendar_feeds' })
export class CalendarFeedEntity {
  @PrimaryColumn('uuid')
  userId!: string;

  @Column('bytea')
  tokenHash!: Buffer;

  @Column('timestamptz')
  createdAt!: Date;
}

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

  @Column('boolean', { select: false })
  listed!: boolean;

  @Column('uuid', { array: true })
  registeredUserIds!: string[];
}
