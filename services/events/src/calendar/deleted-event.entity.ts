import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What calendars have to be told of an event that is gone. */
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

  @Column('integer')
  sequence!: number;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  deletedAt!: Date;

  /** Whose calendars had it. */
  @Column('uuid', { array: true })
  registeredUserIds!: string[];
}
