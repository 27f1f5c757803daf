import { type Answers, type CheckedInBy, type Guest, REGISTERED } from '@meetmark/contracts';
import { Column, Entity } from 'typeorm';
import { type MemberContactView, RegistrationRow } from '../events/registration.entity.js';

/** A registration as the guest list has it: of a member, or of somebody without an account. */
@Entity({ schema: 'events', name: 'event_registrations' })
export class GuestEntity extends RegistrationRow {
  @Column('uuid', { nullable: true })
  userId!: string | null;

  /** The name of somebody without an account. */
  @Column('text', { nullable: true })
  guestName!: string | null;

  /** The address as an organiser typed it, also once its owner has taken the place over. */
  @Column('text', { nullable: true })
  guestEmail!: string | null;

  /** What a member who took the place over was called before. */
  @Column('text', { nullable: true })
  addedAs!: string | null;

  @Column('text', { nullable: true })
  note!: string | null;

  @Column('timestamptz', { nullable: true })
  paidAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  checkedInAt!: Date | null;

  @Column('text', { nullable: true })
  checkedInBy!: CheckedInBy | null;

  @Column('jsonb', { nullable: true })
  answers!: Answers | null;

  /** Where a query joined it. */
  member?: MemberContactView | null;
}

/** What the guest list shows of one, with what it shows of a member. */
export type ShownGuest = Omit<GuestEntity, 'eventId' | 'member'> & {
  member?: Omit<MemberContactView, 'id'> | null;
};

/** @param hasNoShows whether a place without a check-in means that its holder did not come */
export function presentGuest(row: ShownGuest, hasNoShows: boolean): Guest {
  const { member = null, guestName, addedAs, status, checkedInAt } = row;
  // who took the place over goes on looking like somebody without an account
  const typed = guestName ?? addedAs;
  const shown = typed === null ? member : null;
  return {
    id: row.id,
    name: typed ?? (member === null ? '' : `${member.firstName} ${member.lastName}`),
    email: typed === null ? (member?.email ?? null) : row.guestEmail,
    userId: shown === null ? null : row.userId,
    profileImageUrl: shown?.profileImageUrl ?? null,
    state: status,
    registeredAt: row.registeredAt.toISOString(),
    note: row.note,
    paidAt: row.paidAt?.toISOString() ?? null,
    checkedInAt: checkedInAt?.toISOString() ?? null,
    checkedInBy: row.checkedInBy,
    noShow: hasNoShows && status === REGISTERED && checkedInAt === null,
    answers: row.answers ?? {},
  };
}
