import { ViewColumn, ViewEntity } from 'typeorm';

/** Published by the auth service: what members may see of each other (D26). */
@ViewEntity({ schema: 'auth', name: 'member_card', synchronize: false })
export class MemberCardView {
  @ViewColumn()
  id!: string;

  @ViewColumn()
  firstName!: string;

  @ViewColumn()
  lastName!: string;

  @ViewColumn()
  profileImageUrl!: string | null;

  @ViewColumn()
  linkedInUrl!: string | null;
}

/** Published by the auth service, for administrators. */
@ViewEntity({ schema: 'auth', name: 'member_contact', synchronize: false })
export class MemberContactView {
  @ViewColumn()
  id!: string;

  @ViewColumn()
  firstName!: string;

  @ViewColumn()
  lastName!: string;

  @ViewColumn()
  email!: string;

  @ViewColumn()
  profileImageUrl!: string | null;
}
