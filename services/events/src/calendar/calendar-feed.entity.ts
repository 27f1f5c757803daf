import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A member's secret address. The secret itself is not kept, only what recognises it. */
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
