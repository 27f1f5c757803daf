import { ViewColumn, ViewEntity } from 'typeorm';

/** Published by the auth service. */
abstract class MemberView {
  @ViewColumn()
  id!: string;

  @ViewColumn()
  firstName!: string;

  @ViewColumn()
  lastName!: string;

  @ViewColumn()
  profileImageUrl!: string | null;
}

/** What members may see of each other. */
@ViewEntity({ schema: 'auth', name: 'listed_member', synchronize: false })
export class MemberCardView extends MemberView {
  @ViewColumn()
  linkedInUrl!: string | null;
}

/** For administrators. */
@ViewEntity({ schema: 'auth', name: 'member_contact', synchronize: false })
export class MemberContactView extends MemberView {
  @ViewColumn()
  email!: string;
}
