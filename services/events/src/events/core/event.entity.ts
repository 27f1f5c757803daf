import {
  type CoverCrop,
  type DescriptionFormat,
  type Event,
  type EventFormat,
  type EventStatus,
  type EventVisibility,
  LISTED_FIELDS,
  type ListedEventFields,
  type Page,
  pictureUrl,
  getRegistrationState,
  type Topic,
  REGISTERED,
  WAITLISTED,
} from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import { presentRegistration, type RegistrationEntity } from '../../registrations/registration.entity.js';

@Entity({ schema: 'events', name: 'events' })
export class EventEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column({ name: 'event_slug', type: 'text', nullable: true, insert: false })
  slug!: string | null;

  @Column('text')
  title!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { default: 'plain' })
  descriptionFormat!: DescriptionFormat;

  @Column('timestamptz')
  startDate!: Date;

  @Column('timestamptz')
  endDate!: Date;

  @Column('text', { nullable: true })
  location!: string | null;

  @Column('text')
  format!: EventFormat;

  @Column('boolean')
  isAllDay!: boolean;

  /** Null means the community's time zone. */
  @Column('text', { nullable: true })
  timeZone!: string | null;

  @Column('text', { nullable: true })
  bannerHash!: string | null;

  /** Number of the pattern, from 1. A banner image takes precedence. */
  @Column('smallint', { nullable: true })
  coverPattern!: number | null;

  @Column('jsonb', { nullable: true })
  coverSquare!: CoverCrop | null;

  @Column('jsonb', { nullable: true })
  coverWide!: CoverCrop | null;

  /** Decimal with two places, or null for a free event. */
  @Column({ type: 'numeric', precision: 9, scale: 2, nullable: true })
  price!: string | null;

  @Column('text', { nullable: true })
  paymentNote!: string | null;

  @Column('integer', { nullable: true })
  capacity!: number | null;

  @Column('uuid')
  createdById!: string;

  @Column('text', { default: 'published' })
  status!: EventStatus;

  @Column('text', { default: 'public' })
  visibility!: EventVisibility;

  @Column('timestamptz', { nullable: true })
  publishAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  cancelledAt!: Date | null;

  @Column('text', { nullable: true })
  cancelReason!: string | null;

  @Column('uuid', { nullable: true })
  seriesId!: string | null;

  @Column('timestamptz', { nullable: true })
  registrationOpensAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  registrationClosesAt!: Date | null;

  @Column('boolean', { default: false })
  waitlistEnabled!: boolean;

  /** SEQUENCE of the calendar entry (RFC 5545). Increases with every change that the entry shows. */
  @Column('integer', { default: 0 })
  sequence!: number;

  @Column({ type: 'integer', insert: false, update: false })
  version!: number;

  /** Maintained by a trigger; this service can't write it. */
  @Column({ type: 'integer', insert: false, update: false })
  registrationCount!: number;

  @Column({ type: 'integer', insert: false, update: false })
  waitingCount!: number;

  @Column({ type: 'boolean', insert: false, update: false })
  hasQuestions!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  @VirtualColumn({
    type: 'json',
    query: (event) => `
      SELECT coalesce(json_agg(json_build_object('id', topic.id, 'slug', topic.slug, 'name', topic.name)
        ORDER BY about.position), '[]')
      FROM events.event_topics AS about JOIN events.topics AS topic ON topic.id = about.topic_id
      WHERE about.event_id = ${event}.id`,
  })
  topics!: Topic[];

  ownRegistration?: RegistrationEntity | null;

  ownPosition?: number;
}

export type EventValues = Pick<EventEntity, keyof ListedEventFields | 'bannerHash'>;

export const toForm = (event: EventValues): ListedEventFields =>
  Object.fromEntries(
    LISTED_FIELDS.map((name) => [name, formValue(event[name])]),
  ) as unknown as ListedEventFields;

const formValue = (value: EventValues[keyof EventValues]) =>
  value instanceof Date ? value.toISOString() : value;

export function presentEvent(row: EventEntity, now = Date.now()): Event {
  const own = row.ownRegistration ?? null;
  const waits = own?.status === WAITLISTED;
  return {
    ...toForm(row),
    id: row.id,
    slug: row.slug,
    bannerImageUrl: row.bannerHash === null ? null : pictureUrl('banners', row.bannerHash),
    coverPattern: row.bannerHash === null ? row.coverPattern : null,
    createdById: row.createdById,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
    status: row.status,
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    cancelReason: row.cancelReason,
    topics: row.topics,
    seriesId: row.seriesId,
    hasQuestions: row.hasQuestions,
    registrationCount: row.registrationCount,
    waitingCount: row.waitingCount,
    registrationState: getRegistrationState(row, now),
    registrations: own?.status === REGISTERED ? [presentRegistration(own)] : [],
    waiting: waits ? { joinedAt: own.registeredAt.toISOString(), position: row.ownPosition } : null,
  };
}

export const presentEvents = ({ items, ...page }: Page<EventEntity>): Page<Event> => ({
  ...page,
  items: items.map((row) => presentEvent(row)),
});
