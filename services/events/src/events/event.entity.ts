import {
  type CoverCrop,
  type DescriptionFormat,
  type Event,
  type EventFormat,
  type EventStatus,
  type EventVisibility,
  type Page,
  pictureUrl,
  registrationStateOf,
  type Topic,
  REGISTERED,
  WAITLISTED,
} from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';
import { formOf } from './event-changes.js';
import { presentOwn, type RegistrationEntity } from './registration.entity.js';

@Entity({ schema: 'events', name: 'events' })
export class EventEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** A trigger gives it with the publication. */
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

  /** Null: the community's. */
  @Column('text', { nullable: true })
  timeZone!: string | null;

  /** The hash of the banner in events.pictures. */
  @Column('text', { nullable: true })
  bannerHash!: string | null;

  /** From 1. A picture, which the version before may have stored beside it, comes first. */
  @Column('smallint', { nullable: true })
  coverPattern!: number | null;

  @Column('jsonb', { nullable: true })
  coverSquare!: CoverCrop | null;

  @Column('jsonb', { nullable: true })
  coverWide!: CoverCrop | null;

  /** Decimal with two places, or null: free. */
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

  @Column('boolean', { default: true })
  waitlistEnabled!: boolean;

  /** The SEQUENCE of the calendar entry (RFC 5545): it increases with every change that the entry shows. */
  @Column('integer', { default: 0 })
  sequence!: number;

  /** A trigger increases it with every change of a field of the form. */
  @Column({ type: 'integer', insert: false, update: false })
  version!: number;

  /** Maintained by a trigger on the registrations; this service has no right to write it. */
  @Column({ type: 'integer', insert: false, update: false })
  registrationCount!: number;

  /** As registrationCount, of those who wait. */
  @Column({ type: 'integer', insert: false, update: false })
  waitingCount!: number;

  /** Maintained by a trigger on the content. */
  @Column({ type: 'boolean', insert: false, update: false })
  hasQuestions!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  /** In the organisers' order. */
  @VirtualColumn({
    type: 'json',
    query: (event) => `
      SELECT coalesce(json_agg(json_build_object('id', topic.id, 'slug', topic.slug, 'name', topic.name)
        ORDER BY about.position), '[]')
      FROM events.event_topics AS about JOIN events.topics AS topic ON topic.id = about.topic_id
      WHERE about.event_id = ${event}.id`,
  })
  topics!: Topic[];

  /** The caller's own, where a query joined it. */
  ownRegistration?: RegistrationEntity | null;

  /** The caller's own on the waiting list, where it was asked for. */
  ownPosition?: number;
}

export function presentEvent(row: EventEntity, now = Date.now()): Event {
  const own = row.ownRegistration ?? null;
  const waits = own?.status === WAITLISTED;
  return {
    ...formOf(row),
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
    registrationState: registrationStateOf(row, now),
    registrations: own?.status === REGISTERED ? [presentOwn(own)] : [],
    waiting: waits ? { joinedAt: own.registeredAt.toISOString(), position: row.ownPosition } : null,
  };
}

export const presentEvents = ({ items, ...page }: Page<EventEntity>): Page<Event> => ({
  ...page,
  items: items.map((row) => presentEvent(row)),
});
