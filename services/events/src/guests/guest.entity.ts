import { type Answers, type CheckedInBy, type Guest, REGISTERED } from '@meetmark/contracts';
import { Column, Entity } from 'typeorm';
import { type MemberContactView, RegistrationRow } from '../registrations/registration.entity.js';

@Entity({ schema: 'events', name: 'event_registrations' })
export class GuestEntity extends RegistrationRow {
  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('text', { nullable: true })
  guestName!: string | null;

  /** Entered by an organiser. Stays when a member takes over the registration. */
  @Column('text', { nullable: true })
  guestEmail!: string | null;

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

  member?: MemberContactView | null;
}

export type ShownGuest = Omit<GuestEntity, 'eventId' | 'member'> & {
  member?: Omit<MemberContactView, 'id'> | null;
};

export function presentGuest(row: ShownGuest, hasNoShows: boolean): Guest {
  const { member = null, guestName, addedAs, status, checkedInAt } = row;
  // hides the account of a guest whom an organiser added, so that organisers can't find out who has one
  const isClosed = row.userId !== null && member === null;
  const typed = isClosed ? null : (guestName ?? addedAs);
  const shown = typed === null ? member : null;
  return {
    id: row.id,
    name: typed ?? (member === null ? '' : `${member.firstName} ${member.lastName}`),
    email: typed === null ? (member?.email ?? null) : row.guestEmail,
    userId: shown === null ? null : row.userId,
    unconfirmed: shown?.unconfirmed ?? false,
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
